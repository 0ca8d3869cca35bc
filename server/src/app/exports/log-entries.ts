import { idOf } from "#aip";
import type { JsonObject } from "#base";
import { nonEmptyFields } from "#base";
import type { ExportedTurn } from "#session";
import { insertId } from "./bigquery-rows.ts";
import { LOG_ID } from "./destination.ts";
import { outputJson } from "./turn-json.ts";

/** The longest entry, UTF-8 bytes; Cloud Logging takes 256 KB. */
const MAX_ENTRY_BYTES = 240_000;

/**
 * One turn as a `LogEntry` of `projects/{project}/logs/ces.googleapis.com%2Fresponses` (CONV-18). An entry that would be too long goes without
 * its diagnostic info, and then without its text.
 */
export function logEntry(turn: ExportedTurn, project: string): JsonObject {
  const { app, head, turnIndex, record } = turn;
  const { diagnosticInfo, ...output } = outputJson(turn, record);
  const entry = (jsonPayload: JsonObject): JsonObject => ({
    logName: `projects/${project}/logs/${LOG_ID}`,
    resource: { type: "global", labels: { project_id: project } },
    insertId: insertId(turn),
    timestamp: new Date(head.endTime).toISOString(),
    severity: "INFO",
    labels: {
      app_id: idOf(app.name),
      session_id: idOf(head.name),
      deployment_id: idOf(head.deployment),
      app_version_id: idOf(head.appVersion),
      location_id: app.name.split("/")[3] ?? "",
    },
    jsonPayload,
  });
  const payloads: readonly JsonObject[] = [{ ...output, ...nonEmptyFields({ diagnosticInfo }) }, output];
  const fitting = payloads.map(entry).find((each) => Buffer.byteLength(JSON.stringify(each)) <= MAX_ENTRY_BYTES);
  return fitting ?? entry({ turnIndex, turnCompleted: true });
}
