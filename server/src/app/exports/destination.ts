import { isAmongApps } from "#base";
import type { Config } from "../config.ts";

/** Where rows about turns go. */
export type Destination =
  | { readonly kind: "bigquery"; readonly project: string; readonly dataset: string; readonly table: string }
  | { readonly kind: "cloud-logging"; readonly project: string };

/** The full resource name of a destination: what the store calls it. */
export function destinationName(destination: Destination): string {
  const { kind, project } = destination;
  if (kind === "cloud-logging") return `logging.googleapis.com/projects/${project}/logs/${LOG_ID}`;
  const { dataset, table } = destination;
  return `bigquery.googleapis.com/projects/${project}/datasets/${dataset}/tables/${table}`;
}

/** The log of the hosted product's conversations (CONV-18). */
export const LOG_ID = "ces.googleapis.com%2Fresponses";

/** Reads a name that `destinationName` wrote; undefined for any other. */
export function readDestination(name: string): Destination | undefined {
  const [, project = "", dataset = "", table = ""] =
    /^bigquery\.googleapis\.com\/projects\/([^/]+)\/datasets\/([^/]+)\/tables\/([^/]+)$/.exec(name) ?? [];
  if (table !== "") return { kind: "bigquery", project, dataset, table };
  const [, logged] = /^logging\.googleapis\.com\/projects\/([^/]+)\/logs\//.exec(name) ?? [];
  return logged === undefined ? undefined : { kind: "cloud-logging", project: logged };
}

type ExportConfig = Pick<Config, "bigqueryExport" | "cloudLogging">;

/** The destinations of all conversations of an app, or why there are none: a sentence with the fix. */
export type ExportTarget = Destination | { readonly problem: string };

/** The table of BigQuery that an app's settings name. `project` "" is the app's own. */
export function bigqueryTarget(
  config: ExportConfig,
  settings: { readonly app: string; readonly project: string; readonly dataset: string; readonly table: string },
): ExportTarget {
  const { bigqueryExport } = config;
  const { dataset, table } = settings;
  if (!bigqueryExport)
    return { problem: "BigQuery is not configured here; add the section bigqueryExport to the config file" };
  if (!/^\w+$/.test(dataset)) return { problem: "dataset is not the id of a dataset: letters, digits and underscores" };
  const project = settings.project || projectOf(settings.app);
  return (
    notAllowed(bigqueryExport, "bigqueryExport", { project, app: settings.app }) ?? {
      kind: "bigquery",
      project,
      dataset,
      table,
    }
  );
}

/** The log that an app's conversations go to. */
export function cloudLoggingTarget({ cloudLogging }: ExportConfig, app: string): ExportTarget {
  if (!cloudLogging)
    return { problem: "Cloud Logging is not configured here; add the section cloudLogging to the config file" };
  const project = cloudLogging.project ?? projectOf(app);
  return notAllowed(cloudLogging, "cloudLogging", { project, app }) ?? { kind: "cloud-logging", project };
}

function notAllowed(
  { projects, apps }: { readonly projects?: readonly string[]; readonly apps?: readonly string[] },
  section: string,
  { project, app }: { readonly project: string; readonly app: string },
): { readonly problem: string } | undefined {
  if (!/^[\w.:-]+$/.test(project)) return { problem: `'${project}' is not the id of a project` };
  if (!isAmongApps(app, apps))
    return { problem: `this app is not among ${section}.apps of the config file; add it there` };
  if (!projects || projects.includes(project)) return undefined;
  return { problem: `the project '${project}' is not among ${section}.projects of the config file; add it there` };
}

function projectOf(app: string): string {
  return app.split("/")[1] ?? "";
}
