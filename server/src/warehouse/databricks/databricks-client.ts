import { isJsonObject, type JsonObject, objectOrEmpty } from "#base";
import { QueryError, type QueryLimits } from "../contract.ts";
import { addRows, collectRows } from "../remote/collect-rows.ts";
import { createJsonApi, type JsonAnswer } from "../remote/http/json-api.ts";
import { runSubmitted } from "../remote/http/submitted-statement.ts";
import type { StatementClient, StatementRows } from "../remote/statement-client.ts";
import { createDatabricksLogin, type DatabricksAddress } from "./login.ts";
import { toCell, toColumn } from "./wire-types.ts";

const STATEMENTS = "/api/2.0/sql/statements";
const CALL_MS = 30_000;
const CANCEL_MS = 5_000;
/** A result in the answers themselves has at most 25 MiB; without a limit of bytes a larger one is an error. */
const MAX_INLINE_BYTES = 24 * 1024 * 1024;

/**
 * The Statement Execution API of Databricks, version 2.0: a statement is submitted, asked for until it has ended, and its rows are in chunks. Rows come in the answers:
 * addresses of files in a cloud's storage are never asked for.
 */
export function createDatabricksClient(address: () => DatabricksAddress): StatementClient {
  const login = createDatabricksLogin(() => address().http);
  const api = createJsonApi(
    "Databricks",
    () => address().http,
    () => login.headers(),
  );
  const path = (id: string) => `${STATEMENTS}/${encodeURIComponent(id)}`;
  const call = async (one: Omit<Parameters<typeof api.call>[0], "timeoutMs">) => {
    const answer = await api.call({ ...one, timeoutMs: CALL_MS });
    if (answer.status !== 200) throw toCallError(answer);
    return answer.body;
  };
  return {
    query: (sql, limits, signal) =>
      runSubmitted<JsonObject, StatementRows>(
        {
          submit: () => call({ method: "POST", path: STATEMENTS, body: statementBody(sql, address(), limits) }),
          idOf: (answer) => String(answer.statement_id),
          isRunning: (answer) => /^(PENDING|RUNNING)$/.test(stateOf(answer)),
          poll: (id, until) => call({ method: "GET", path: path(id), signal: until }),
          cancel: (id) => api.call({ method: "POST", path: `${path(id)}/cancel`, timeoutMs: CANCEL_MS }),
        },
        (answer, until) =>
          readRows(answer, limits, (id, number) =>
            call({ method: "GET", path: `${path(id)}/result/chunks/${number}`, signal: until }),
          ),
        limits,
        signal,
      ),
    close: async () => {
      await Promise.all([api.close(), login.close()]);
    },
  };
}

/** No catalog and no schema: each name of a statement is a whole one. Rows and bytes are limited in Databricks. */
function statementBody(sql: string, { warehouse }: DatabricksAddress, limits: QueryLimits): JsonObject {
  return {
    ...{ statement: sql, warehouse_id: warehouse, wait_timeout: "0s", on_wait_timeout: "CONTINUE" },
    ...{ disposition: "INLINE", format: "JSON_ARRAY" },
    ...{ row_limit: limits.maxRows + 1, byte_limit: MAX_INLINE_BYTES },
  };
}

/** The rows of the first chunk, and of further ones until a limit. Throws `QueryError` for a statement that failed. */
async function readRows(
  answer: JsonObject,
  limits: QueryLimits,
  chunk: (id: string, number: number) => Promise<JsonObject>,
): Promise<StatementRows> {
  if (stateOf(answer) !== "SUCCEEDED") throw toStatementError(answer);
  const manifest = objectOrEmpty(answer.manifest);
  const { columns: declared } = objectOrEmpty(manifest.schema);
  const columns = (Array.isArray(declared) ? declared : [])
    .filter(isJsonObject)
    .map(({ name, type_text }) => toColumn(String(name), String(type_text)));
  const collector = collectRows(limits);
  const toRow = (cells: readonly unknown[]) => columns.map((column, at) => toCell(cells[at], column));
  for (let part = objectOrEmpty(answer.result); ; ) {
    addRows(collector, part.data_array, toRow);
    const { next_chunk_index: next } = part;
    if (typeof next !== "number" || collector.truncated) break;
    part = await chunk(String(answer.statement_id), next);
  }
  return { columns, rows: collector.rows, truncated: collector.truncated || manifest.truncated === true };
}

function stateOf(answer: JsonObject): string {
  return String(objectOrEmpty(answer.status).state);
}

/** A call that Databricks did not take: it names no statement. */
function toCallError({ status, body }: JsonAnswer): QueryError {
  const message = `Databricks: ${String(body.message ?? `status ${status}`).slice(0, 1000)}`;
  return new QueryError(status === 401 || status === 403 ? "permission" : "failed", message);
}

/** A statement that failed, by the state of SQL at the end of its message: 22 and 42 are faults of the statement. */
function toStatementError(answer: JsonObject): QueryError {
  const { error, state } = objectOrEmpty(answer.status);
  const { error_code: code, message: said } = objectOrEmpty(error);
  const message = String(said ?? `The statement is ${String(state)}.`).slice(0, 1000);
  const [, sqlState = ""] = /SQLSTATE: (\w{5})/.exec(message) ?? [];
  if (state === "CANCELED" || code === "CANCELLED") return new QueryError("cancelled", message);
  if (code === "DEADLINE_EXCEEDED" || sqlState === "57KD0") return new QueryError("timeout", message);
  if (sqlState === "42501") return new QueryError("permission", message);
  return new QueryError(/^(22|42)/.test(sqlState) ? "invalid" : "failed", message);
}
