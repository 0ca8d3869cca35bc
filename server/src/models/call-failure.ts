import { isJsonObject, type JsonObject } from "#base";

/** Why a call did not give an answer, before it is put into the words of a refusal. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  /** What the provider answered with; 0 when no answer came. */
  readonly status: number;
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean;
  /** How long the provider asks to wait, milliseconds; `undefined` when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: CallFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
    this.retryable = options.retryable ?? RETRYABLE_STATUSES.has(this.status);
    this.retryAfterMs = options.retryAfterMs;
  }
}

interface CallFailureOptions {
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

/** A failed connection as a failure; a failure as it is. */
export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  const code = codeOf(error);
  const message = error instanceof Error && error.message !== "" ? error.message : String(code || error);
  return new CallFailure(message, { retryable: RETRYABLE_CODES.has(code), cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** An answer with a status other than 2xx as a failure: the provider's own message, and how long it asks to wait. `now` is in milliseconds since the epoch. */
export function failureFromAnswer(status: number, headers: Headers, body: string, now: number): CallFailure {
  const error = errorObject(body);
  const message = messageOf(error) || body.trim().slice(0, 500) || `HTTP status ${status}`;
  return new CallFailure(message, {
    status,
    // OpenAI and Anthropic know better than the status whether it is worth another try.
    retryable: { true: true, false: false }[String(headers["x-should-retry"])],
    retryAfterMs: retryAfterHeader(headers, now) ?? retryInfo(error),
  });
}

/** An error object inside an answer of status 200, as Gemini's and OpenAI's streams carry it. */
export function failureFromError(error: JsonObject, status: number): CallFailure {
  return new CallFailure(messageOf(error) || "The provider ended the answer with an error.", {
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
