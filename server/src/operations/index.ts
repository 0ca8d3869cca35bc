/** google.longrunning: operations that are stored, run, cancelled, waited for, and recovered after a restart. */
export type {
  OperationHandle,
  OperationObserver,
  Operations,
  OperationWork,
  ResumableKind,
  StoredJob,
} from "./contract.ts";
export { createOperations } from "./create-operations.ts";
export { repeatingName, SERVER_WIDE } from "./repeating-work.ts";
