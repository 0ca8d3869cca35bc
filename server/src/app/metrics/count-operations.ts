import type { OperationObserver } from "#operations";
import { toGrpcStatusName } from "#status";
import type { Metrics } from "./metrics.ts";

/** Counts operations: those that run, how they ended, and those of servers that ended. */
export function countOperations({
  operations,
  operationsRunning,
  operationsTakenOver,
}: Pick<Metrics, "operations" | "operationsRunning" | "operationsTakenOver">): OperationObserver {
  return {
    started: (kind) => operationsRunning.inc({ kind }),
    ended: (kind, code) => {
      operationsRunning.dec({ kind });
      operations.inc({ kind, code: code === undefined ? "OK" : toGrpcStatusName(code) });
    },
    takenOver: (kind, outcome) => operationsTakenOver.inc({ kind, outcome }),
  };
}
