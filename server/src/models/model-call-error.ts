import { isJsonObject, type JsonObject } from "#base";
import {
  type ConnectError,
  type ErrorReason,
  failedPrecondition,
  invalidArgument,
  permissionDenied,
  resourceExhausted,
  unauthenticated,
  unavailable,
} from "#status";
import { excessError } from "./request-excess.ts";

/** A failed call, before `toModelStatusError` makes a status error of it. */
export class ModelCallError extends Error {
  override readonly name = "ModelCallError";
  /** What the provider answered with; 0 when no answer came. */
  readonly status: number;
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean;
  /** How long the provider asks to wait, milliseconds; `undefined` when it does not ask. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ModelCallErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
    this.retryable = options.retryable ?? RETRYABLE_STATUSES.has(this.status);
    this.retryAfterMs = options.retryAfterMs;
  }
}

interface ModelCallErrorOptions {
  readonly status?: number;
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** 529 is Anthropic's "overloaded". */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Codes of Node and undici for a connection that was not made or broke. A slow answer (headers or body timeout) is not among them: waiting twice would be worse. */
const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/** What undici says in words that name no setting (TURN-94). */
const SLOW: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: "it did not begin to answer within models.timeouts.answerMs",
  UND_ERR_BODY_TIMEOUT: "it sent nothing more for as long as models.timeouts.pauseMs allows (default: answerMs)",
};

/** Wraps any other error, such as a failed connection. */
export function toModelCallError(error: unknown): ModelCallError {
  if (error instanceof ModelCallError) return error;
  const code = codeOf(error);
  const message =
    SLOW[code] ?? (error instanceof Error && error.message !== "" ? error.message : String(code || error));
  return new ModelCallError(message, { retryable: RETRYABLE_CODES.has(code), cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The error of a response with a status other than 2xx: the provider's message, and how long it asks to wait. `now` is in milliseconds since the epoch. */
export function errorFromResponse(status: number, headers: Headers, body: string, now: number): ModelCallError {
  const error = errorObject(body);
  const message = messageOf(error) || body.trim().slice(0, 500) || `HTTP status ${status}`;
  return new ModelCallError(message, {
    status,
    // OpenAI and Anthropic know better than the status whether it is worth another try.
    retryable: { true: true, false: false }[String(headers["x-should-retry"])],
    retryAfterMs: retryAfterHeader(headers, now) ?? retryInfo(error),
  });
}

/** The error inside a response of status 200, if it is one: an object as in Gemini's and OpenAI's streams, a text as Ollama sends it, or the response itself. */
export function errorIn(json: JsonObject): JsonObject | undefined {
  const { error, object } = json;
  if (typeof error === "string" && error !== "") return { message: error };
  if (isJsonObject(error)) return error;
  return object === "error" ? json : undefined;
}

/** The error of an error object inside a response of status 200. */
export function errorFromBody(error: JsonObject, status: number): ModelCallError {
  return new ModelCallError(messageOf(error) || "The provider ended the answer with an error.", {
    status,
    retryAfterMs: retryInfo(error),
  });
}

/** Google, OpenAI and Anthropic wrap alike: `{"error": {"message": …}}`; Google's streams wrap that in a list; small servers send `{"error": "…"}`. */
function errorObject(body: string): JsonObject | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined; // Not JSON, e.g. a gateway's HTML page: the caller shows the text.
  }
  const [outer] = Array.isArray(parsed) ? parsed : [parsed];
  if (!isJsonObject(outer)) return undefined;
  const { error } = outer;
  if (isJsonObject(error)) return error;
  return typeof error === "string" ? { message: error } : outer;
}

function messageOf(error: JsonObject | undefined): string {
  return typeof error?.message === "string" ? error.message : "";
}

/** `retry-after-ms` (OpenAI, Azure), `retry-after` in seconds or as a date (RFC 9110 section 10.2.3). */
function retryAfterHeader(headers: Headers, now: number): number | undefined {
  const exact = Number.parseFloat(String(headers["retry-after-ms"]));
  if (exact >= 0) return exact;
  const value = headers["retry-after"];
  if (typeof value !== "string" || value === "") return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `google.rpc.RetryInfo` among the details of a Google error: a duration as `"34.07s"`. */
function retryInfo(error: JsonObject | undefined): number | undefined {
  const details = Array.isArray(error?.details) ? error.details : [];
  for (const detail of details) {
    if (!isJsonObject(detail) || detail["@type"] !== "type.googleapis.com/google.rpc.RetryInfo") continue;
    const seconds = Number.parseFloat(String(detail.retryDelay));
    if (seconds >= 0) return seconds * 1000;
  }
  return undefined;
}

const MAX_MESSAGE = 1000;

/** When a call may be worth another try whose provider did not say so, milliseconds. */
const RETRY_MS = 1_000;

/**
 * The status error that callers get: it names the model, the HTTP status and the provider's own message,
 * never a key. `attempts` is how often it was tried, `hasAnswered` whether the answer had begun.
 */
export function toModelStatusError(
  label: string,
  failure: ModelCallError,
  attempts: number,
  redact: Redact,
  hasAnswered = false,
): ConnectError {
  const detail = redact(failure.message).slice(0, MAX_MESSAGE);
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : "";
  const unanswered = hasAnswered ? "broke its answer off" : "could not be reached";
  const happened = failure.status === 0 ? unanswered : `answered with HTTP status ${failure.status}`;
  return statusErrorOf(failure, `Model '${label}' ${happened}${tried}: ${detail}`, {
    reason: "MODEL_CALL_FAILED",
    metadata: { model: label, httpStatus: String(failure.status) },
  });
}

function statusErrorOf(
  { status, retryAfterMs = RETRY_MS, retryable }: ModelCallError,
  message: string,
  info: ErrorReason,
): ConnectError {
  const retryMs = Math.ceil(retryAfterMs);
  if (status === 0 || status === 408 || status >= 500) return unavailable(message, { ...info, retryMs });
  if (status === 401) return unauthenticated(advised(message, "Check the provider's API key."), info);
  if (status === 403) return permissionDenied(message, info);
  // A provider whose account has nothing left says that waiting does not help.
  if (status === 429) return resourceExhausted(message, retryable ? { ...info, retryMs } : info);
  // 402: no credit; 404: no such model. The request is sound, the configuration or the account is not.
  if (status === 402) return failedPrecondition(message, info);
  if (status === 404) {
    return failedPrecondition(advised(message, "Check the model's name, and the base URL of its provider."), info);
  }
  return excessError(status, message, info) ?? invalidArgument({ field: "", description: message });
}

function advised(message: string, advice: string): string {
  return `${message.replace(/\.?$/, ".")} ${advice}`;
}

/** Removes the secrets from a text. */
export type Redact = (text: string) => string;

/** Characters from which on a key may be a secret: local servers take any, such as `x`, and a shorter one is a part of many words. As for credentials of tools. */
const SHORTEST_KEY = 6;

/** The same for a header's value: a shorter one is a version or a switch. */
const SHORTEST_SECRET = 8;

/**
 * Creates the redaction of a provider's secrets. The headers that an operator adds are often keys of a gateway (`Bearer …` included), so long parts of their
 * values are secrets, too.
 */
export function createRedact(secrets: readonly string[], headers: Readonly<Record<string, string>> = {}): Redact {
  const parts = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]);
  const present = [
    ...secrets.filter(({ length }) => length >= SHORTEST_KEY),
    ...parts.filter(({ length }) => length >= SHORTEST_SECRET),
  ];
  return (text) => present.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
}
