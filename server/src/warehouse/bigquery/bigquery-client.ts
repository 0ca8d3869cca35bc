import { setTimeout as delay } from "node:timers/promises";
import { createEgress, type Egress, EgressError, isJsonObject, type JsonObject } from "#base";
import { QueryError } from "../contract.ts";
import type { BigQueryAccess } from "../mapping/warehouse-config.ts";
import { errorFromResponse } from "./query-errors.ts";

/** A call of the REST API, version 2. */
interface BigQueryCall {
  readonly method: "GET" | "POST";
  /** Below `/bigquery/v2/projects/`, with the query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly signal: AbortSignal;
}

/** A client of the REST API of BigQuery. */
export interface BigQueryClient {
  /** Rejects with `QueryError`, or with the reason of the signal. Transient failures are retried. */
  call(call: BigQueryCall): Promise<JsonObject>;
  close(): Promise<void>;
}

const ENDPOINT = "https://bigquery.googleapis.com";
/** BigQuery answers a poll after at most ten seconds, with at most 20 MB. */
const CALL_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const RETRYABLE_STATUSES = new Set([429, 500, 502, 503, 504]);
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 200;

/** Calls BigQuery, three times where it answers that it is busy. Default: the public endpoint. */
export function createBigQueryClient({ endpoint = ENDPOINT, accessToken }: BigQueryAccess): BigQueryClient {
  const { hostname, host, port } = new URL(endpoint);
  // The configuration names the address, so it may be private; no other private address is allowed.
  const egress = createEgress({ allowedPrivateHosts: [port === "" ? hostname : host] });
  return {
    async call(call) {
      for (let attempt = 1; ; attempt++) {
        const { status, body } = await send(egress, endpoint, await accessToken(), call);
        if (status >= 200 && status < 300) return body;
        if (!RETRYABLE_STATUSES.has(status) || attempt === ATTEMPTS) throw errorFromResponse(status, body);
        await delay(FIRST_RETRY_MS * 2 ** (attempt - 1), undefined, { signal: call.signal });
      }
    },
    close: () => egress.close(),
  };
}

async function send(egress: Egress, endpoint: string, token: string, { method, path, body, signal }: BigQueryCall) {
  try {
    const response = await egress.fetch({
      method,
      url: `${endpoint}/bigquery/v2/projects/${path}`,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
      },
      secrets: [token],
      ...(body && { body: JSON.stringify(body) }),
      ...{ timeoutMs: CALL_TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES, followRedirects: false, signal },
    });
    return { status: response.status, body: parseBody(response.body) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EgressError)
      throw new QueryError("failed", `BigQuery cannot be reached: ${error.message}.`, error);
    throw error;
  }
}

/** A proxy may answer with an HTML page; then only the status is known. */
function parseBody(bytes: Uint8Array): JsonObject {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
