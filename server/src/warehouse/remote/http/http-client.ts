import { createEgress, definedFields, type Egress, EgressError, type EgressRequest } from "#base";
import { checkOptions } from "../../connections/check-options.ts";
import type { DatabaseGate } from "../../connections/gate-contract.ts";
import { QueryError } from "../../contract.ts";
import type { OpenedMapping } from "../../mapping/warehouse-config.ts";

/** Where an engine with an HTTP interface is, and who asks. */
export interface HttpAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly user: string;
  readonly password: string;
  /** The parts of the path, decoded. */
  readonly path: readonly string[];
  readonly options: URLSearchParams;
  /** How it is reached that somebody connected. Default: directly. */
  readonly gate?: DatabaseGate;
}

/** A call; its headers name the caller. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Sends calls to one engine through the gate for outbound requests. */
interface HttpClient {
  /** The body in chunks. Rejects with `QueryError`, or with the reason of the signal. */
  open(call: HttpCall): ReturnType<Egress["open"]>;
  /** The whole body as text. */
  text(call: HttpCall): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}

const MAX_RECEIVED = 64 * 1024 * 1024;

/** Reads `https://user:password@host:port/path?option=…`; `form` shows how it should be. Options that are not of `known` are refused. */
export function readHttpAddress(
  { connectionString, gate }: OpenedMapping,
  form: string,
  known: readonly string[] = [],
): HttpAddress {
  const text = connectionString();
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new QueryError("failed", `The connection string must be ${form}.`);
  checkOptions(url, known);
  return {
    origin: url.origin,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    path: url.pathname.split("/").filter(Boolean).map(decodeURIComponent),
    options: url.searchParams,
    ...definedFields({ gate }),
  };
}

/** Where the configuration names the address it may be private; no other private address is allowed. */
export function createHttpClient(engine: string, { origin, gate }: HttpAddress): HttpClient {
  const egress: Pick<Egress, "fetch" | "open"> & Partial<Pick<Egress, "close">> =
    gate?.http ?? createEgress({ allowedPrivateHosts: [new URL(origin).host] });
  const failed = (error: unknown, signal: AbortSignal | undefined): never => {
    signal?.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    if (error.kind === "timeout") throw new QueryError("timeout", `${engine} did not answer in time.`, error);
    const message = error.kind === "too-large" ? `${engine} sent more than ${MAX_RECEIVED} bytes` : error.message;
    throw new QueryError("failed", `${engine} cannot be asked: ${message}.`, error);
  };
  const toRequest = ({ signal, ...call }: HttpCall): EgressRequest => ({
    ...call,
    secrets: secretsIn(call.headers),
    maxBytes: MAX_RECEIVED,
    followRedirects: false,
    ...definedFields({ signal }),
  });
  return {
    open: (call) => egress.open(toRequest(call)).catch((error) => failed(error, call.signal)),
    async text(call) {
      const { status, body } = await egress.fetch(toRequest(call)).catch((error) => failed(error, call.signal));
      return { status, text: Buffer.from(body).toString("utf8") };
    },
    close: async () => egress.close?.(),
  };
}

/** What the headers show of who asks: a token, or a password by itself and as it is sent. */
function secretsIn({ authorization = "", "x-clickhouse-key": key = "" }: HttpCall["headers"]): readonly string[] {
  const [kind, sent = ""] = authorization.split(" ");
  const password =
    kind === "Basic"
      ? Buffer.from(sent, "base64")
          .toString()
          .replace(/^[^:]*:/, "")
      : "";
  return [sent, password, key];
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Tokens are sent by https alone, except on this machine. Throws a `QueryError`. */
export function requireTls(engine: string, { origin }: HttpAddress): void {
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "https:" && !LOOPBACK.has(hostname))
    throw new QueryError(
      "failed",
      `The connection string of ${engine} must begin with https://, because it has a token.`,
    );
}

/** The Authorization header for a user and a password. */
export function basicAuthorization({ user, password }: HttpAddress): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
