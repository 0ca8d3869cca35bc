import { type Egress, EgressError, type EgressRequest, isJsonObject, type JsonObject } from "#base";
import { SearchError } from "./contract.ts";

const ANSWER_MS = 15_000;
const ANSWER_BYTES = 10 * 1024 * 1024;

/** A request to a service that the operator configured. */
export interface ServiceRequest {
  /** The service by its own name, for errors. */
  readonly service: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without it the request is a GET. */
  readonly body?: JsonObject;
  /** Kept out of every message. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** Default 15,000. */
  readonly timeoutMs?: number;
}

/** Asks a service for JSON: bounded in time and size. Rejects with `SearchError`, in words without any secret. */
export async function callService(request: ServiceRequest, egress: Pick<Egress, "fetch">): Promise<JsonObject> {
  const { service } = request;
  try {
    const { status, body } = await egress.fetch(toEgressRequest(request));
    const text = new TextDecoder().decode(body);
    if (status < 200 || status > 299) throw new SearchError(`${service} answers with status ${status}${saying(text)}.`);
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
    throw new SearchError(`${service} answers with JSON of another shape.`);
  } catch (error) {
    request.signal.throwIfAborted();
    throw new SearchError(redacted(reasonOf(error, service), request.secrets));
  }
}

function toEgressRequest({ url, headers, body, signal, timeoutMs = ANSWER_MS }: ServiceRequest): EgressRequest {
  const common = { url, timeoutMs, followRedirects: false, maxBytes: ANSWER_BYTES, signal };
  if (!body) return { ...common, method: "GET", headers: { accept: "application/json", ...headers } };
  return {
    ...common,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** What a service says is wrong: Google's and Brave's `error.message` (or `detail`), nothing of an HTML page. */
function saying(text: string): string {
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
  if (error instanceof SyntaxError) return `${service} answers with something that is no JSON.`;
  return `${service} failed: ${error instanceof Error ? error.message : String(error)}`;
}

function redacted(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((left, secret) => left.replaceAll(secret, "[key]").replaceAll(encodeURIComponent(secret), "[key]"), text);
}
