import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "#base";
import { type Column, cancelled, QueryError, type QueryLimits, timedOut } from "../contract.ts";
import { collectRows } from "../remote/collect-rows.ts";
import { basicAuthorization, createHttpClient, type HttpAddress } from "../remote/http/http-client.ts";
import type { StatementClient } from "../remote/statement-client.ts";
import { toCell, toColumn } from "./wire-types.ts";

/** The server answers a poll after a second or so, also without news. */
const POLL_MS = 30_000;
const CANCEL_MS = 5_000;
const BUSY = new Set([502, 503, 504]);
const RETRY_MS = 100;

/** The client protocol of Trino, version 1: a statement is posted, and its rows are at one address after another. At a limit too it is cancelled on the server. */
export function createTrinoClient(address: () => HttpAddress): StatementClient {
  const http = createHttpClient("Trino", address());
  const headersOf = ({ maxScannedBytes, timeoutMs }: QueryLimits) => {
    const at = address();
    const session = [
      `query_max_run_time=${Math.max(1, Math.ceil(timeoutMs / 1000))}s`,
      ...(maxScannedBytes === undefined ? [] : [`query_max_scan_physical_bytes=${maxScannedBytes}B`]),
    ];
    return {
      ...{ "x-trino-user": at.user || "frontdesk", "x-trino-source": "frontdesk", "x-trino-time-zone": "UTC" },
      ...{ "x-trino-session": session.join(","), "content-type": "text/plain; charset=utf-8" },
      // Passwords are sent to https alone; Trino takes none by http.
      ...(at.password !== "" && { authorization: basicAuthorization(at) }),
    };
  };

  async function poll(call: Parameters<typeof http.text>[0]): Promise<JsonObject> {
    for (;;) {
      const { status, text } = await http.text(call);
      if (BUSY.has(status)) await delay(RETRY_MS, undefined, { signal: call.signal });
      else if (status === 200) return pageOf(text);
      else
        throw new QueryError(
          status === 401 || status === 403 ? "permission" : "failed",
          `Trino: ${text.slice(0, 500) || `status ${status}`}`,
        );
    }
  }

  return {
    async query(sql, limits, signal) {
      if (signal.aborted) throw cancelled();
      const timeout = AbortSignal.timeout(limits.timeoutMs);
      const call = { headers: headersOf(limits), timeoutMs: POLL_MS, signal: AbortSignal.any([signal, timeout]) };
      const collector = collectRows(limits);
      let columns: readonly Column[] = [];
      let next: string | undefined;
      try {
        let page = await poll({ ...call, method: "POST", url: `${address().origin}/v1/statement`, body: sql });
        for (;;) {
          next = nextOf(page, address());
          if (isJsonObject(page.error)) throw toQueryError(page.error, limits);
          if (Array.isArray(page.columns))
            columns = page.columns.filter(isJsonObject).map((one) => toColumn(String(one.name), String(one.type)));
          for (const row of Array.isArray(page.data) ? page.data : [])
            if (Array.isArray(row)) collector.add(columns.map((column, at) => toCell(row[at], column)));
          if (!next || collector.truncated) return { columns, rows: collector.rows, truncated: collector.truncated };
          page = await poll({ ...call, method: "GET", url: next });
        }
      } catch (error) {
        if (signal.aborted) throw cancelled(error);
        if (timeout.aborted) throw timedOut(limits, error);
        throw error;
      } finally {
        if (next)
          await http.text({ method: "DELETE", url: next, headers: call.headers, timeoutMs: CANCEL_MS }).catch(() => {});
      }
    },
    close: () => http.close(),
  };
}

function pageOf(text: string): JsonObject {
  const page: unknown = JSON.parse(text);
  if (isJsonObject(page)) return page;
  throw new QueryError("failed", "Trino: the response is no object of JSON.");
}

/** The rest of the rows. An address of another server is not followed: calls carry the password. */
function nextOf({ nextUri }: JsonObject, { origin }: HttpAddress): string | undefined {
  if (typeof nextUri !== "string") return undefined;
  if (new URL(nextUri).origin === origin) return nextUri;
  throw new QueryError(
    "failed",
    `Trino answers with addresses at ${new URL(nextUri).origin}; name that in the connection string.`,
  );
}

/** Kinds by the names of errors (Trino, `StandardErrorCode`); other errors of users are "invalid". */
const KINDS: Readonly<Record<string, QueryError["kind"]>> = {
  ...{ PERMISSION_DENIED: "permission", EXCEEDED_TIME_LIMIT: "timeout", EXCEEDED_CPU_LIMIT: "timeout" },
  ...{ EXCEEDED_SCAN_LIMIT: "too-expensive", USER_CANCELED: "cancelled", ADMINISTRATIVELY_KILLED: "failed" },
};

function toQueryError({ message, errorName, errorType }: JsonObject, limits: QueryLimits): QueryError {
  const kind = KINDS[String(errorName)] ?? (errorType === "USER_ERROR" ? "invalid" : "failed");
  return kind === "timeout" ? timedOut(limits, message) : new QueryError(kind, String(message));
}
