import { decodeText, isJsonObject, type JsonObject, type JsonValue, parseJson, writeJson } from "#base";
import { type Outbound, OutboundError, type OutboundRequest, type OutboundRoute } from "#outbound";
import { quoteResponse } from "../outbound-errors.ts";
import { type ConnectionCall, ConnectorError } from "./contract.ts";

/** A request of a connection with JSON in both directions. */
export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials among the headers, which are redacted in the response. */
  readonly secrets?: readonly string[];
  readonly body?: JsonObject;
}

/** Shorter values would match unrelated text. */
const MIN_SECRET_LENGTH = 6;

/** Sends a request through the egress gate and parses the response. Rejects with `ConnectorError`, also for a status other than 2xx. */
export async function sendJson(
  { method, url, headers = {}, secrets = [], body }: JsonRequest,
  route: OutboundRoute,
  { context, timeoutMs }: ConnectionCall,
  outbound: Outbound,
): Promise<JsonValue> {
  const request: OutboundRequest = {
    method,
    url,
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: writeJson(body) }),
    timeoutMs,
    // These services do not redirect, and credentials must not follow a redirect.
    followRedirects: false,
  };
  const response = await outbound.fetch(request, route, context).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw error instanceof OutboundError
      ? new ConnectorError(error.message.replace(/\.$/, ""), { cause: error })
      : error;
  });
  const text = secrets
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .reduce(
      (left, secret) => left.replaceAll(secret, "[credential]"),
      decodeText(response.body, response.headers["content-type"]),
    );
  if (response.status >= 200 && response.status < 300) return text.trim() === "" ? {} : parse(text, url);
  throw new ConnectorError(`HTTP ${response.status}: ${errorTextOf(text) || response.statusText}`);
}

function parse(text: string, url: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new ConnectorError(`${new URL(url).origin} did not respond with JSON: ${quoteResponse(text)}`);
  }
}

/** `error.message` of Google's errors, else the whole text. */
function errorTextOf(text: string): string {
  try {
    const json = JSON.parse(text) as JsonValue;
    const error = isJsonObject(json) ? json.error : undefined;
    if (isJsonObject(error) && typeof error.message === "string") return quoteResponse(error.message);
  } catch {
    // Not JSON: quoted unchanged.
  }
  return quoteResponse(text);
}
