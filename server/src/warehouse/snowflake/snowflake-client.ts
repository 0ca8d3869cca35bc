import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, nonEmptyFields, objectsIn } from "#base";
import { QueryError, type QueryLimits, timedOut } from "../contract.ts";
import { addRows, collectRows } from "../remote/collect-rows.ts";
import { createJsonApi, type JsonAnswer } from "../remote/http/json-api.ts";
import { runSubmitted } from "../remote/http/submitted-statement.ts";
import type { StatementClient, StatementRows } from "../remote/statement-client.ts";
import { loginHeaders, type SnowflakeAddress } from "./login.ts";
import { toCell, toColumn } from "./wire-types.ts";

const CALL_MS = 30_000;
const CANCEL_MS = 5_000;
const RUNNING = 202;

/** The SQL API of Snowflake, version 2: a statement is submitted, asked for until it has ended, and its rows are in partitions. */
export function createSnowflakeClient(address: () => SnowflakeAddress): StatementClient {
  const api = createJsonApi(
    "Snowflake",
    () => address().http,
    () => loginHeaders(address()),
  );
  const path = (handle: string) => `/api/v2/statements/${encodeURIComponent(handle)}`;
  const answered = async (call: Parameters<typeof api.call>[0], limits: QueryLimits) => {
    const answer = await api.call(call);
    if (answer.status !== 200 && answer.status !== RUNNING) throw toQueryError(answer, limits);
    return answer;
  };
  return {
    query(sql, limits, signal) {
      const partition = (handle: string, number: number, until: AbortSignal) =>
        answered(
          { method: "GET", path: `${path(handle)}?partition=${number}`, timeoutMs: CALL_MS, signal: until },
          limits,
        );
      return runSubmitted<JsonAnswer, StatementRows>(
        {
          submit: () =>
            answered(
              {
                ...{ method: "POST", path: `/api/v2/statements?async=true&requestId=${randomUUID()}` },
                ...{ body: statementBody(sql, address(), limits), timeoutMs: CALL_MS },
              },
              limits,
            ),
          idOf: ({ body }) => String(body.statementHandle),
          isRunning: ({ status }) => status === RUNNING,
          poll: (handle, until) =>
            answered({ method: "GET", path: path(handle), timeoutMs: CALL_MS, signal: until }, limits),
          cancel: (handle) => api.call({ method: "POST", path: `${path(handle)}/cancel`, timeoutMs: CANCEL_MS }),
        },
        (answer, until) => readRows(answer.body, limits, (handle, number) => partition(handle, number, until)),
        limits,
        signal,
      );
    },
    close: () => api.close(),
  };
}

/** No database and no schema: a name that were left would be none of the context. Time and rows are limited in Snowflake. */
function statementBody(sql: string, { warehouse, role }: SnowflakeAddress, limits: QueryLimits): JsonObject {
  return {
    statement: sql,
    timeout: Math.max(1, Math.ceil(limits.timeoutMs / 1000)),
    ...nonEmptyFields({ warehouse, role }),
    parameters: {
      ...{ timezone: "UTC", query_tag: "frontdesk", multi_statement_count: "1" },
      rows_per_resultset: String(limits.maxRows + 1),
    },
  };
}

/** The rows of the first answer, and of further partitions until a limit. */
async function readRows(
  { resultSetMetaData, data, statementHandle }: JsonObject,
  limits: QueryLimits,
  partition: (handle: string, number: number) => Promise<JsonAnswer>,
): Promise<StatementRows> {
  const meta = isJsonObject(resultSetMetaData) ? resultSetMetaData : {};
  const columns = objectsIn(meta.rowType).map(toColumn);
  const partitions = Array.isArray(meta.partitionInfo) ? meta.partitionInfo.length : 1;
  const collector = collectRows(limits);
  const toRow = (cells: readonly unknown[]) => columns.map((column, at) => toCell(cells[at], column));
  addRows(collector, data, toRow);
  for (let number = 1; number < partitions && !collector.truncated; number++)
    addRows(collector, (await partition(String(statementHandle), number)).body.data, toRow);
  return { columns, rows: collector.rows, truncated: collector.truncated };
}

/** Kinds by the codes of errors; else by the state of SQL, of which 22 and 42 are faults of the statement. */
const KINDS: Readonly<Record<string, QueryError["kind"]>> = {
  ...{ "000604": "cancelled", "000630": "timeout", "003001": "permission" },
};

function toQueryError({ status, body }: JsonAnswer, limits: QueryLimits): QueryError {
  const [code, state] = [String(body.code ?? ""), String(body.sqlState ?? "")];
  const message = String(body.message ?? `status ${status}`).slice(0, 1000);
  if (status === 401 || status === 403) return new QueryError("permission", `Snowflake: ${message}`);
  if (status === 408) return timedOut(limits, message);
  const kind = KINDS[code] ?? (state === "42501" ? "permission" : /^(22|42)/.test(state) ? "invalid" : "failed");
  return kind === "timeout" ? timedOut(limits, message) : new QueryError(kind, message);
}
