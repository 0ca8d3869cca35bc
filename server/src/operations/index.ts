/** google.longrunning: start, progress, cancel, wait, and what a restart finds. */
export type { OperationHandle, Operations, OperationWork } from "./contract.ts";
export { createOperations, type OperationsDeps } from "./create-operations.ts";
