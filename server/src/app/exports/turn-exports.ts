import type { App } from "@frontdesk/protos/ces/app";
import type { JsonObject } from "#base";
import type { ExportedTurn } from "#session";
import type { ExportRow } from "#storage";
import type { Config } from "../config.ts";
import { bigqueryRow } from "./bigquery-rows.ts";
import {
  bigqueryTarget,
  cloudLoggingTarget,
  type Destination,
  destinationName,
  type ExportTarget,
} from "./destination.ts";
import { logEntry } from "./log-entries.ts";

/** The fields of `LoggingSettings` that send turns elsewhere. */
type ExportField = "bigquery_export_settings" | "unredacted_bigquery_export_settings" | "cloud_logging_settings";

/** The table of the hosted product; unredacted rows have one of their own, since both settings may name one dataset (CONV-17). */
const TABLE = "v1beta_logs";
const UNREDACTED_TABLE = "v1beta_unredacted_logs";

type ExportConfig = Pick<Config, "bigqueryExport" | "cloudLogging">;

/** The rows of a turn for the destinations that its app names and the operator allows. */
export function exportRows(turn: ExportedTurn, config: ExportConfig): readonly ExportRow[] {
  return enabledTargets(turn.app, config).flatMap(({ field, target }) => {
    if ("problem" in target) return [];
    const body = JSON.stringify(bodyOf(turn, field, target));
    return [{ destination: destinationName(target), createTime: turn.head.endTime, body }];
  });
}

function bodyOf(turn: ExportedTurn, field: ExportField, destination: Destination): JsonObject {
  if (destination.kind === "cloud-logging") return logEntry(turn, destination.project);
  return bigqueryRow(turn, field === "unredacted_bigquery_export_settings" ? turn.original : turn.record);
}

/** Why an enabled setting of an app exports nothing, by field, with the fix; empty when all do. */
export function exportProblems(
  app: App,
  config: ExportConfig,
): readonly { readonly field: ExportField; readonly problem: string }[] {
  const unlogged = app.loggingSettings?.conversationLoggingSettings?.disableConversationLogging;
  return enabledTargets(app, config).flatMap(({ field, target }) => {
    if (unlogged) return [{ field, problem: "has no effect, since disable_conversation_logging is on" }];
    return "problem" in target ? [{ field, problem: target.problem }] : [];
  });
}

interface EnabledTarget {
  readonly field: ExportField;
  readonly target: ExportTarget;
}

function enabledTargets({ name, loggingSettings }: App, config: ExportConfig): readonly EnabledTarget[] {
  const { bigqueryExportSettings, unredactedBigqueryExportSettings, cloudLoggingSettings } = loggingSettings ?? {};
  const tables = [
    { field: "bigquery_export_settings", settings: bigqueryExportSettings, table: TABLE },
    {
      field: "unredacted_bigquery_export_settings",
      settings: unredactedBigqueryExportSettings,
      table: UNREDACTED_TABLE,
    },
  ] as const;
  const bigquery = tables.flatMap(({ field, settings, table }) => {
    if (!settings?.enabled) return [];
    const { project, dataset } = settings;
    return [{ field, target: bigqueryTarget(config, { app: name, project, dataset, table }) }];
  });
  if (!cloudLoggingSettings?.enableCloudLogging) return bigquery;
  return [...bigquery, { field: "cloud_logging_settings", target: cloudLoggingTarget(config, name) }];
}
