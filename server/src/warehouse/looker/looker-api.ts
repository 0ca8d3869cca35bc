import { type Egress, EgressError, type EgressRequest, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { LookerSignIn } from "./sign-in.ts";

/** What an instance answered in place of what was asked. Its words are for people; they hold no credentials. */
export class LookerApiError extends Error {
  override readonly name = "LookerApiError";
  /** HTTP status; 0 when nothing was answered, 408 when that took too long. */
  readonly status: number;
  /** Whether it was the login that failed. */
  readonly atLogin: boolean;

  constructor(status: number, message: string, atLogin = false) {
    super(message);
    this.status = status;
    this.atLogin = atLogin;
  }
}

export interface LookerCall {
  readonly method: "GET" | "POST";
  /** Below `/api/4.0/`, parts encoded. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Looker's API 4.0 of one instance, as one caller. Signs in at the first call and keeps the token for this object's life. */
export interface LookerApi {
  /** Rejects with `LookerApiError`. */
  call(call: LookerCall): Promise<JsonValue>;
}

export interface LookerApiDeps {
  readonly origin: string;
  readonly egress: Pick<Egress, "fetch">;
  readonly signIn: LookerSignIn;
}

/** Bytes of an answer: 5,000 rows of many columns. */
const MOST_BYTES = 32_000_000;
/** Letters of an instance's own words that are passed on. */
const MOST_WORDS = 500;

export function createLookerApi({ origin, egress, signIn }: LookerApiDeps): LookerApi {
  let token: Promise<string> | undefined;

  async function send(
    path: string,
    more: Pick<EgressRequest, "method" | "headers" | "body" | "timeoutMs" | "signal">,
    atLogin = false,
  ): Promise<JsonValue> {
    const { status, body } = await egress
      .fetch({
        ...more,
        url: `${origin}/api/4.0/${path}`,
        followRedirects: false,
        maxBytes: MOST_BYTES,
        allowedOrigins: [{ origins: [origin], name: "warehouse.looker", anyPort: false }],
      })
      .catch((error: unknown) => {
        more.signal?.throwIfAborted();
        throw error instanceof EgressError ? unreached(error, atLogin) : error;
      });
    const answer = readJson(Buffer.from(body).toString("utf8"));
    if (status < 200 || status > 299) throw new LookerApiError(status, wordsOf(answer, status), atLogin);
    if (answer === undefined) throw new LookerApiError(0, "the answer is not JSON", atLogin);
    return answer;
  }

  async function login(key: Extract<LookerSignIn, { kind: "key" }>, call: LookerCall): Promise<string> {
    const answer = await send(
      "login",
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ client_id: key.clientId, client_secret: key.clientSecret }).toString(),
        timeoutMs: call.timeoutMs,
        signal: call.signal,
      },
      true,
    );
    const given = isJsonObject(answer) ? answer.access_token : undefined;
    if (typeof given === "string" && given !== "") return given;
    throw new LookerApiError(0, "the login gave no token", true);
  }

  return {
    async call(call) {
      token ??= signIn.kind === "token" ? Promise.resolve(signIn.accessToken) : login(signIn, call);
      const { method, path, body, timeoutMs, signal } = call;
      const headers = {
        authorization: `Bearer ${await token}`,
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
      };
      return send(path, { method, headers, timeoutMs, signal, ...(body && { body: JSON.stringify(body) }) });
    },
  };
}

function unreached(error: EgressError, atLogin: boolean): LookerApiError {
  return new LookerApiError(error.kind === "timeout" ? 408 : 0, error.message, atLogin);
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** `message`, and of a validation what is wrong with which field. */
function wordsOf(answer: JsonValue | undefined, status: number): string {
  if (!isJsonObject(answer) || typeof answer.message !== "string") return `HTTP ${status}`;
  const errors = Array.isArray(answer.errors) ? answer.errors.filter(isJsonObject) : [];
  const details = errors.map(({ field, message }) => `${String(field ?? "")} ${String(message ?? "")}`.trim());
  return [answer.message, ...details].join("; ").slice(0, MOST_WORDS);
}
