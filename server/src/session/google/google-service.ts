import { setTimeout as sleep } from "node:timers/promises";
import { definedFields, type Egress, EgressError, type EgressResponse, isJsonObject, type JsonObject } from "#base";
import {
  type ConnectError,
  type ErrorReason,
  failedPrecondition,
  permissionDenied,
  resourceExhausted,
  unauthenticated,
  unavailable,
} from "#status";

/** A service of Google Cloud that is called by REST. */
interface GoogleServiceDeps {
  /** The service's name in errors: `Dialogflow`. */
  readonly label: string;
  readonly egress: Pick<Egress, "fetch">;
  /** Gives an access token for each call. */
  readonly accessToken: () => Promise<string>;
  /** Milliseconds for one try. Default 30,000. */
  readonly timeoutMs?: number;
}

/** An API of Google over REST. A request that the service rejected because it was busy is sent again. */
export interface GoogleService {
  /** Posts a message and returns the response. Rejects with a status error that has the service's name, HTTP status and message. */
  post(url: string, message: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  get(url: string, signal: AbortSignal): Promise<JsonObject>;
}

/** Tries in all. */
const TRIES = 3;
/** Before the second try, milliseconds; twice that before the third. */
const FIRST_WAIT_MS = 300;
/** A service that asks for a longer wait is not called again: the end user is waiting. */
const LONGEST_WAIT_MS = 10_000;
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** Creates the way to one service: with the server's Google identity, through the egress gate. */
export function createGoogleService(deps: GoogleServiceDeps): GoogleService {
  return {
    post: (url, message, signal) => exchange(deps, "POST", url, JSON.stringify(message), signal),
    get: (url, signal) => exchange(deps, "GET", url, undefined, signal),
  };
}

async function exchange(
  deps: GoogleServiceDeps,
  method: string,
  url: string,
  body: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  for (let tries = 1; ; tries += 1) {
    const response = await send(deps, method, url, body, signal);
    if (response.status < 300) return readObject(deps, response);
    const wait = tries < TRIES ? waitBefore(tries, response) : undefined;
    if (wait === undefined) throw toStatusError(deps.label, response);
    await sleep(wait, undefined, { signal });
  }
}

async function send(
  { label, egress, accessToken, timeoutMs = 30_000 }: GoogleServiceDeps,
  method: string,
  url: string,
  body: string | undefined,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const token = await accessToken();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
  };
  const limits = { timeoutMs, followRedirects: false, maxBytes: MAX_ANSWER_BYTES };
  try {
    return await egress.fetch({
      method,
      url,
      headers,
      secrets: [token],
      ...definedFields({ body }),
      ...limits,
      signal,
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw unavailable(`${label} could not be reached: ${error.message}.`, reasonOf(label, 0));
  }
}

/** Only a request that the service rejected is sent again: the service has state, and a lost response does not mean a lost request. */
function waitBefore(tries: number, { status, headers }: EgressResponse): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const wait = askedWait(headers) ?? FIRST_WAIT_MS * tries;
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}

/** Milliseconds that the service asks to wait, by `Retry-After` in seconds. */
function askedWait(headers: EgressResponse["headers"]): number | undefined {
  const asked = Math.ceil(Number(headers["retry-after"]) * 1_000);
  return asked >= 0 ? asked : undefined;
}

function readObject({ label }: GoogleServiceDeps, { body, status }: EgressResponse): JsonObject {
  const value = parsed(body);
  if (value) return value;
  throw unavailable(`${label} answered with something that is no JSON object.`, reasonOf(label, status));
}

function parsed(body: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toStatusError(label: string, { status, statusText, headers, body }: EgressResponse): ConnectError {
  const error = parsed(body)?.error;
  const said = isJsonObject(error) && typeof error.message === "string" ? error.message.slice(0, 1_000) : statusText;
  const message = `${label} answered with HTTP status ${status}: ${said}`;
  const info = reasonOf(label, status);
  const passing = { ...info, retryMs: askedWait(headers) ?? FIRST_WAIT_MS * TRIES };
  if (status === 401) return unauthenticated(message, info);
  if (status === 403) return permissionDenied(message, info);
  if (status === 429) return resourceExhausted(message, passing);
  // The service rejected the configuration of the app or the operator; the caller's own request was valid.
  return status < 500 ? failedPrecondition(message, info) : unavailable(message, passing);
}

function reasonOf(label: string, status: number): ErrorReason {
  return { reason: "GOOGLE_SERVICE_FAILED", metadata: { service: label, httpStatus: String(status) } };
}
