import { accessSync, constants } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { Code, ConnectError, reasonOf } from "#status";
import { createWarehouse, QueryError, type Warehouse } from "#warehouse";
import type { Config } from "../config.ts";
import type { Finding } from "./finding.ts";

/** How long a database has to answer, milliseconds. */
const ANSWER_MS = 15_000;
/** No table has this name: a database that says so has been reached, knows the login and let it read its catalog. */
const NO_TABLE = "frontdesk_doctor";

/** Whether the data of each mapping can be reached and its catalog read, and a query run where a mapping is of one table. Rows are not read. */
export async function checkWarehouse({ warehouse: config }: Pick<Config, "warehouse">): Promise<readonly Finding[]> {
  const { sources, postgres = [], remote = [], bigquery = [] } = config;
  const files = sources.map(({ name, path }) => fileFinding(name.join("."), path));
  const warehouse = createWarehouse(config);
  try {
    const databases = [...postgres, ...remote, ...bigquery].map(({ name }) => databaseFinding(name, warehouse));
    return [...files, ...(await Promise.all(databases))];
  } finally {
    await warehouse.close();
  }
}

function fileFinding(mapped: string, path: string): Finding {
  const name = `data ${mapped}`;
  try {
    accessSync(path, constants.R_OK);
    return { name, state: "ok", detail: `${path} can be read` };
  } catch (error) {
    const fix = "correct the path in warehouse.sources, or let the user of the server read it";
    return { name, state: "fault", detail: `${path} cannot be read: ${(error as Error).message}`, fix };
  }
}

async function databaseFinding(pattern: readonly (string | undefined)[], warehouse: Warehouse): Promise<Finding> {
  const name = `data ${pattern.filter(Boolean).join(".")}`;
  const [project = "", dataset, table] = pattern;
  const reference = {
    projectId: project === "*" ? NO_TABLE : project,
    datasetId: dataset ?? NO_TABLE,
    tableId: table ?? NO_TABLE,
  };
  try {
    const detail = await withinTime(ask(reference, warehouse));
    return { name, state: "ok", detail };
  } catch (error) {
    return { name, state: "fault", ...explained(error) };
  }
}

async function ask(reference: Readonly<Record<string, string>>, warehouse: Warehouse): Promise<string> {
  const references = { case: "bq" as const, value: { tableReferences: [reference] } };
  try {
    const source = await warehouse.open(create(DatasourceReferencesSchema, { references }));
    if (source.kind !== "sql") return "is read by its own API";
    const signal = AbortSignal.timeout(ANSWER_MS);
    const limits = { maxRows: 1, maxBytes: 1_000, timeoutMs: ANSWER_MS };
    await source.query({ sql: "SELECT 1 AS one", limits, signal });
    return "answers a query, and its table can be read";
  } catch (error) {
    if (error instanceof ConnectError && reasonOf(error) === "TABLE_NOT_MAPPED")
      return "answers, and its catalog can be read";
    throw error;
  }
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS / 1_000} s`)), ANSWER_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** What went wrong, and what to do. Messages of engines name no login or password. */
function explained(error: unknown): Pick<Finding, "detail" | "fix"> {
  const detail = error instanceof ConnectError ? error.rawMessage : (error as Error).message;
  const isRefused =
    (error instanceof QueryError && error.kind === "permission") ||
    (error instanceof ConnectError && error.code === Code.PermissionDenied);
  const fix = isRefused
    ? "let the login read the schema and its tables (USAGE and SELECT), or map another login"
    : "check the address and the login of the mapping, that the database runs, and that a firewall lets this machine through";
  return { detail: detail.replace(/\.$/, ""), fix };
}
