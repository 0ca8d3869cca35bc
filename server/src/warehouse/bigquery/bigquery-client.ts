import { setTimeout as delay } from "node:timers/promises";
import { createEgress, type Egress, EgressError, isJsonObject, type JsonObject } from "#base";
import { QueryError } from "../contract.ts";
import type { BigQueryAccess } from "../mapping/warehouse-config.ts";
import { fromResponse } from "./to-query-error.ts";

/** A call to the REST interface, version 2. */
export interface BigQueryCall {
  readonly method: "GET" | "POST";
  /** Below `/bigquery/v2/projects/`, with the query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly signal: AbortSignal;
}

/** The interface of BigQuery, as far as questions need it. */
export interface BigQueryClient {
  /** Rejects with `QueryError`, or with the signal's reason; what passes by itself is tried again. */
  call(call: BigQueryCall): Promise<JsonObject>;
  close(): Promise<void>;
}

const ENDPOINT = "https://bigquery.googleapis.com";
/** BigQuery itself answers a poll after ten seconds and keeps an answer below 20 MB. */
const CALL_MS = 30_000;
const ANSWER_BYTES = 32 * 1024 * 1024;
const PASSING = new Set([429, 500, 502, 503, 504]);
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;

export function createBigQueryClient({ endpoint = ENDPOINT, accessToken }: BigQueryAccess): BigQueryClient {
  const { hostname, host, port } = new URL(endpoint);
  // The address is the operator's choice, so it may be private; nothing else is, through this gate.
  const egress = createEgress({ allowedPrivateHosts: [port === "" ? hostname : host] });
  return {
    async call(call) {
      for (let attempt = 1; ; attempt++) {
        const { status, body } = await send(egress, endpoint, await accessToken(), call);
        if (status >= 200 && status < 300) return body;
        if (!PASSING.has(status) || attempt === ATTEMPTS) throw fromResponse(status, body);
        await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: call.signal });
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
      ...(body && { body: JSON.stringify(body) }),
      ...{ timeoutMs: CALL_MS, maxBytes: ANSWER_BYTES, followRedirects: false, signal },
    });
    return { status: response.status, body: parsed(response.body) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EgressError)
      throw new QueryError("failed", `BigQuery cannot be reached: ${error.message}.`, error);
    throw error;
  }
}

/** A proxy in between answers with a page: then the status says what there is to say. */
function parsed(bytes: Uint8Array): JsonObject {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
