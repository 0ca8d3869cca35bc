import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { definedFields } from "#base";
import { type Column, cancelled, QueryError, type QueryLimits, timedOut } from "../contract.ts";
import { collectRows } from "../remote/collect-rows.ts";
import { createHttpClient, type HttpAddress } from "../remote/http/http-client.ts";
import type { StatementClient, StatementRows } from "../remote/statement-client.ts";
import { toCell, toColumn } from "./wire-types.ts";

const KILL_MS = 5_000;

/** Settings of a query that only reads: times in UTC, outer joins with NULL as other engines have them, whole numbers and decimals as texts. */
const SETTINGS = {
  ...{
    default_format: "JSONCompactEachRowWithNamesAndTypes",
    readonly: "2",
    session_timezone: "UTC",
    join_use_nulls: "1",
  },
  ...{ output_format_json_quote_64bit_integers: "1", output_format_json_quote_decimals: "1" },
  ...{
    output_format_json_quote_denormals: "1",
    cancel_http_readonly_queries_on_client_close: "1",
    result_overflow_mode: "break",
  },
};

/** The HTTP interface of a ClickHouse server, for statements that only read; what nobody waits for is killed there. */
export function createClickHouseClient(address: () => HttpAddress): StatementClient {
  const http = createHttpClient("ClickHouse", address());
  const post = (sql: string, settings: Readonly<Record<string, string>>, timeoutMs: number, signal?: AbortSignal) => {
    const { origin, user, password } = address();
    return {
      ...{ method: "POST" as const, url: `${origin}/?${new URLSearchParams(settings)}`, body: sql, timeoutMs },
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "x-clickhouse-user": user || "default",
        "x-clickhouse-key": password,
      },
      ...definedFields({ signal }),
    };
  };
  return {
    async query(sql, limits, signal) {
      if (signal.aborted) throw cancelled();
      const id = randomUUID();
      const timeout = AbortSignal.timeout(limits.timeoutMs);
      const until = AbortSignal.any([signal, timeout]);
      try {
        const response = await http.open(
          post(sql, { ...SETTINGS, ...limitSettings(limits), query_id: id }, limits.timeoutMs, until),
        );
        if (response.status !== 200) throw toQueryError(await textOf(response.body), limits);
        return await readRows(response.body, limits);
      } catch (error) {
        if (until.aborted)
          await http.text(post(`KILL QUERY WHERE query_id = '${id}' ASYNC`, {}, KILL_MS)).catch(() => {});
        if (signal.aborted) throw cancelled(error);
        if (timeout.aborted) throw timedOut(limits, error);
        throw error instanceof QueryError ? error : new QueryError("failed", `ClickHouse: ${String(error)}`, error);
      }
    },
    close: () => http.close(),
  };
}

function limitSettings({ maxRows, timeoutMs, maxScannedBytes }: QueryLimits): Readonly<Record<string, string>> {
  return {
    max_result_rows: String(maxRows + 1),
    max_execution_time: String(Math.max(1, Math.ceil(timeoutMs / 1000))),
    ...(maxScannedBytes !== undefined && { max_bytes_to_read: String(maxScannedBytes) }),
  };
}

/** Lines of JSON: the names, the types, then rows. A failure behind the first row is a line of text. */
async function readRows(body: AsyncIterable<Uint8Array>, limits: QueryLimits): Promise<StatementRows> {
  const collector = collectRows(limits);
  let names: readonly string[] | undefined;
  let columns: readonly Column[] | undefined;
  const lines = createInterface({ input: Readable.from(body), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line === "") continue;
    const cells = parseLine(line, limits);
    if (!names) names = cells.map(String);
    else if (!columns) columns = names.map((name, at) => toColumn(name, String(cells[at])));
    else collector.add(columns.map((column, at) => toCell(cells[at], column)));
    if (collector.truncated) break;
  }
  return { columns: columns ?? [], rows: collector.rows, truncated: collector.truncated };
}

function parseLine(line: string, limits: QueryLimits): readonly unknown[] {
  try {
    const cells: unknown = JSON.parse(line);
    if (Array.isArray(cells)) return cells;
  } catch {
    // A line that is no JSON is the message of an error.
  }
  throw toQueryError(line, limits);
}

/** Kinds by the numbers of exceptions (ClickHouse, `ErrorCodes.cpp`). */
const KINDS: Readonly<Record<number, QueryError["kind"]>> = {
  ...{
    6: "invalid",
    8: "invalid",
    10: "invalid",
    35: "invalid",
    36: "invalid",
    41: "invalid",
    42: "invalid",
    43: "invalid",
    44: "invalid",
  },
  ...{
    46: "invalid",
    47: "invalid",
    53: "invalid",
    60: "invalid",
    62: "invalid",
    70: "invalid",
    72: "invalid",
    153: "invalid",
    184: "invalid",
  },
  ...{
    207: "invalid",
    215: "invalid",
    386: "invalid",
    159: "timeout",
    164: "rejected",
    192: "permission",
    193: "permission",
  },
  ...{ 194: "permission", 307: "too-expensive", 394: "cancelled", 497: "permission", 516: "permission" },
};

function toQueryError(text: string, limits: QueryLimits): QueryError {
  const [, code = "0", message = text] =
    /Code: (\d+)\.?\s*(?:DB::Exception:)?\s*([\s\S]*?)(?:\s*\(version [^)]*\))?\s*$/.exec(text) ?? [];
  const kind = KINDS[Number(code)] ?? "failed";
  return kind === "timeout"
    ? timedOut(limits, text)
    : new QueryError(kind, message.slice(0, 1000) || "ClickHouse gave no reason.");
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
