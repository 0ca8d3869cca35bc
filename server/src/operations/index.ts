/** google.longrunning: start, progress, cancel, wait, and what a restart finds. */
export type { OperationHandle, Operations, OperationWork } from "./contract.ts";
