import type { OperationObserver } from "#operations";
import { toGrpcStatusName } from "#status";
import type { Metrics } from "./metrics.ts";

/** Counts operations: those that run, how they ended, and those of servers that ended. */
export function countOperations({
  operations,
  operationsRunning,
  operationsTakenOver,
  operationsRetried,
}: Pick<Metrics, "operations" | "operationsRunning" | "operationsTakenOver" | "operationsRetried">): OperationObserver {
  return {
    started: (kind) => operationsRunning.inc({ kind }),
    stopped: (kind) => operationsRunning.dec({ kind }),
    ended: (kind, code) => operations.inc({ kind, code: code === undefined ? "OK" : toGrpcStatusName(code) }),
    triedAgain: (kind) => operationsRetried.inc({ kind }),
    takenOver: (kind, outcome) => operationsTakenOver.inc({ kind, outcome }),
  };
}
