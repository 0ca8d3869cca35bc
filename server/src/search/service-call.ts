import { type Egress, EgressError, type EgressRequest, isJsonObject, type JsonObject, thrownMessage } from "#base";
import { SearchError } from "./contract.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 10 * 1024 * 1024;

/** A request to a service that the operator configured. */
interface ServiceRequest {
  /** Name of the service in errors. */
  readonly service: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a POST; without it the request is a GET. */
  readonly body?: JsonObject;
  /** Left out of errors. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** Default 15,000. */
  readonly timeoutMs?: number;
}

/** Calls a JSON API, limited in time and size. Rejects with `SearchError`, which holds no secret. */
export async function callService(request: ServiceRequest, egress: Pick<Egress, "fetch">): Promise<JsonObject> {
  const { service } = request;
  try {
    const { status, body } = await egress.fetch(toEgressRequest(request));
    const text = new TextDecoder().decode(body);
    if (status < 200 || status > 299)
      throw new SearchError(`${service} answers with status ${status}${errorMessageOf(text)}.`);
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
    throw new SearchError(`${service} answers with JSON that is not an object.`);
  } catch (error) {
    request.signal.throwIfAborted();
    throw new SearchError(reasonOf(error, service));
  }
}

function toEgressRequest({
  url,
  headers,
  body,
  secrets,
  signal,
  timeoutMs = TIMEOUT_MS,
}: ServiceRequest): EgressRequest {
  const common = { url, timeoutMs, followRedirects: false, maxBytes: MAX_BYTES, secrets, signal };
  if (!body) return { ...common, method: "GET", headers: { accept: "application/json", ...headers } };
  return {
    ...common,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** The error text of a JSON response: `error.message` or `detail`, as of Google and Brave; "" for anything else. */
function errorMessageOf(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    const error = isJsonObject(json) ? json.error : undefined;
    const message = isJsonObject(error) ? (error.message ?? error.detail) : error;
    return typeof message === "string" ? `: ${message.slice(0, 300).replace(/\.$/, "")}` : "";
  } catch {
    return "";
  }
}

function reasonOf(error: unknown, service: string): string {
  if (error instanceof SearchError) return error.message;
  if (error instanceof EgressError) return `${service} cannot be reached: ${error.message}.`;
  if (error instanceof SyntaxError) return `${service} answers with invalid JSON.`;
  return `${service} failed: ${thrownMessage(error)}`;
}
