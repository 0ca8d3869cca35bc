import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import type { ResumableKind } from "#operations";
import type { RegisteredMethod } from "#rpc";
import type { Metrics } from "./metrics.ts";

/**
 * Gives the series that alert rules follow by `rate` or `increase` (deploy/alerts.yaml) a sample before their first event: a series that appears with a 1 has
 * not grown. Those of calls begin with the first call of a method (`countRequests`), because there are thousands.
 */
export function beginAtZero(
  {
    turnSeconds,
    turnsForwarded,
    operationsTakenOver,
    standbyLists,
  }: Pick<Metrics, "turnSeconds" | "turnsForwarded" | "operationsTakenOver" | "standbyLists">,
  methods: readonly RegisteredMethod[],
  resumable: readonly ResumableKind[],
): void {
  for (const outcome of ["stored", "refused", "abandoned"]) turnSeconds.zero({ outcome });
  for (const outcome of ["refused", "sent", "returned", "lost"]) turnsForwarded.inc({ outcome }, 0);
  for (const from of ["standby", "database"]) standbyLists.inc({ from }, 0);
  const startOperations = methods.filter(({ method }) => method.output.typeName === OperationSchema.typeName);
  const kinds = new Set([...startOperations.map(({ method }) => method.name), ...resumable.map(({ kind }) => kind)]);
  for (const kind of kinds) for (const outcome of ["lost", "resumed"]) operationsTakenOver.inc({ kind, outcome }, 0);
}
