import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type Outbound, OutboundError, type OutboundRequest, type OutboundRoute } from "#outbound";
import { quoteResponse } from "../outbound-errors.ts";
import { type ConnectionCall, ConnectorError } from "./contract.ts";

/** A request of a connection: JSON there and back. */
export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials among the headers: an answer that repeats one is read without it. */
  readonly secrets?: readonly string[];
  readonly body?: JsonObject;
}

/** Shorter values would be found in words that have nothing to do with them. */
const SHORTEST_SECRET = 6;

/** Sends a request through the gate and reads its JSON. `ConnectorError` for anything but a good answer. */
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
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
    // These services do not redirect; credentials stay where they are meant for.
    followRedirects: false,
  };
  const answer = await outbound.fetch(request, route, context).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw error instanceof OutboundError
      ? new ConnectorError(error.message.replace(/\.$/, ""), { cause: error })
      : error;
  });
  const text = secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .reduce((left, secret) => left.replaceAll(secret, "[credential]"), new TextDecoder().decode(answer.body));
  if (answer.status >= 200 && answer.status < 300) return text.trim() === "" ? {} : parse(text, url);
  throw new ConnectorError(`HTTP ${answer.status}: ${reasonIn(text) || answer.statusText}`);
}

function parse(text: string, url: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ConnectorError(`${new URL(url).origin} did not answer JSON: ${quoteResponse(text)}`);
  }
}

/** Google's errors say it in `error.message`, others somewhere in their text. */
function reasonIn(text: string): string {
  try {
    const json = JSON.parse(text) as JsonValue;
    const error = isJsonObject(json) ? json.error : undefined;
    if (isJsonObject(error) && typeof error.message === "string") return quoteResponse(error.message);
  } catch {
    // Not JSON: told as it is.
  }
  return quoteResponse(text);
}
