import {
  type Egress,
  EgressError,
  type EgressRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "#base";

/** An error response of a Looker instance, or none. The message is for people and has no credentials. */
export class LookerApiError extends Error {
  override readonly name = "LookerApiError";
  /** HTTP status; 0 without a response, 408 after a timeout. */
  readonly status: number;
  /** Whether the login failed. */
  readonly atLogin: boolean;

  constructor(status: number, message: string, atLogin = false) {
    super(message);
    this.status = status;
    this.atLogin = atLogin;
  }
}

/** One request to the API. */
export interface LookerCall {
  readonly method: "GET" | "POST";
  /** Path below `/api/4.0/`, its parts encoded. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The API 4.0 of one Looker instance, for one caller. Logs in at the first call and keeps the access token as long as this object lives. */
export interface LookerApi {
  /** Rejects with `LookerApiError`. */
  call(call: LookerCall): Promise<JsonValue>;
}

/** An access token, or an API key that the login exchanges for one. */
export type LookerCredentials =
  | { readonly kind: "token"; readonly accessToken: string }
  | { readonly kind: "key"; readonly clientId: string; readonly clientSecret: string };

interface LookerApiDeps {
  readonly origin: string;
  readonly egress: Pick<Egress, "fetch">;
  readonly credentials: LookerCredentials;
}

/** Maximum bytes of a response: 5,000 rows of many columns. */
const MAX_RESPONSE_BYTES = 32_000_000;
/** Maximum characters of a Looker message that are passed on. */
const MAX_MESSAGE_LENGTH = 500;

/** Calls one Looker, whose answers and messages are bounded. */
export function createLookerApi({ origin, egress, credentials }: LookerApiDeps): LookerApi {
  let token: Promise<string> | undefined;

  async function send(
    path: string,
    options: Pick<EgressRequest, "method" | "headers" | "body" | "timeoutMs" | "signal" | "secrets">,
    atLogin = false,
  ): Promise<JsonValue> {
    const { status, body } = await egress
      .fetch({
        ...options,
        url: `${origin}/api/4.0/${path}`,
        followRedirects: false,
        maxBytes: MAX_RESPONSE_BYTES,
        allowedOrigins: [{ origins: [origin], name: "warehouse.looker", anyPort: false }],
      })
      .catch((error: unknown) => {
        options.signal?.throwIfAborted();
        throw error instanceof EgressError ? networkError(error, atLogin) : error;
      });
    const json = readJson(Buffer.from(body).toString("utf8"));
    if (status < 200 || status > 299) throw new LookerApiError(status, errorMessage(json, status), atLogin);
    if (json === undefined) throw new LookerApiError(0, "the response is not JSON", atLogin);
    return json;
  }

  async function login(key: Extract<LookerCredentials, { kind: "key" }>, call: LookerCall): Promise<string> {
    const answer = await send(
      "login",
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ client_id: key.clientId, client_secret: key.clientSecret }).toString(),
        secrets: [key.clientSecret],
        timeoutMs: call.timeoutMs,
        signal: call.signal,
      },
      true,
    );
    const accessToken = isJsonObject(answer) ? answer.access_token : undefined;
    if (typeof accessToken === "string" && accessToken !== "") return accessToken;
    throw new LookerApiError(0, "the login returned no access token", true);
  }

  return {
    async call(call) {
      token ??= credentials.kind === "token" ? Promise.resolve(credentials.accessToken) : login(credentials, call);
      const { method, path, body, timeoutMs, signal } = call;
      const known = await token;
      const headers = {
        authorization: `Bearer ${known}`,
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
      };
      const secrets = [known];
      return send(path, { method, headers, secrets, timeoutMs, signal, ...(body && { body: JSON.stringify(body) }) });
    },
  };
}

function networkError(error: EgressError, atLogin: boolean): LookerApiError {
  return new LookerApiError(error.kind === "timeout" ? 408 : 0, error.message, atLogin);
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The `message`, and for a validation error also the fields and their errors. */
function errorMessage(answer: JsonValue | undefined, status: number): string {
  if (!isJsonObject(answer) || typeof answer.message !== "string") return `HTTP ${status}`;
  const errors = objectsIn(answer.errors);
  const details = errors.map(({ field, message }) => `${String(field ?? "")} ${String(message ?? "")}`.trim());
  return [answer.message, ...details].join("; ").slice(0, MAX_MESSAGE_LENGTH);
}
