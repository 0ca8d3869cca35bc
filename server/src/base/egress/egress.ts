import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, request as send } from "undici";
import { type AddressPolicy, isOpened, refusalOf } from "./address-policy.ts";

/** An outbound HTTP request made on behalf of user code or an imported app. */
export interface EgressRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Milliseconds for the whole exchange, redirects included. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Largest answer read, bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  readonly statusText: string;
  /** Lower-case names; repeated ones joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The one gate for outbound requests: public addresses only, DNS pinned to the checked address, redirects checked again. */
export interface Egress {
  /** Rejects with `EgressError` when the request is refused, times out, is too large or does not get through. */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  close(): Promise<void>;
}

/** Why a request did not get an answer; the message may be shown to whoever wrote the code. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly kind: "refused" | "timeout" | "too-large" | "failed";

  constructor(kind: EgressError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Resolves a host name to addresses; injected in tests. */
export type Resolve = (host: string) => Promise<Addresses>;

type Addresses = readonly { readonly address: string; readonly family: number }[];

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Headers that speak about the connection, which is the gate's: what a caller says of it could be read as another request. */
const CONNECTION_HEADERS = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
]);
const CREDENTIAL_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"]);

const resolveAll: Resolve = (host) => systemLookup(host, { all: true });

/** Creates the gate. Everything private stays closed unless `policy` opens it. */
export function createEgress(
  policy: AddressPolicy,
  { resolve = resolveAll }: { readonly resolve?: Resolve } = {},
): Egress {
  const agents = { checked: createAgent(checkedLookup(resolve)), opened: createAgent(plainLookup(resolve)) };
  return {
    fetch: (request) => exchange(request, policy, agents),
    close: async () => {
      await Promise.all([agents.checked.close(), agents.opened.close()]);
    },
  };
}

/** Hosts that the operator opened are reached without an address check, all others with it. */
interface Agents {
  readonly checked: Agent;
  readonly opened: Agent;
}

function createAgent(lookup: LookupFunction): Agent {
  return new Agent({ connect: { lookup, timeout: 10_000 }, keepAliveTimeout: 4_000, maxHeaderSize: 32 * 1024 });
}

async function exchange(request: EgressRequest, policy: AddressPolicy, agents: Agents): Promise<EgressResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    return await follow({ ...request, signal }, policy, agents);
  } catch (error) {
    if (error instanceof EgressError) throw error;
    if (timeout.aborted)
      throw new EgressError("timeout", `${request.method} ${request.url} took longer than ${request.timeoutMs} ms`);
    request.signal?.throwIfAborted();
    throw new EgressError("failed", `${request.method} ${request.url} failed: ${reasonOf(error)}`, error);
  }
}

async function follow(first: EgressRequest, policy: AddressPolicy, agents: Agents): Promise<EgressResponse> {
  let request = checkedRequest(first);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = checkedUrl(request.url, policy);
    const agent = isOpened(policy, hostOf(url), portOf(url)) ? agents.opened : agents.checked;
    const response = await once(request, url, agent);
    const location = response.headers.location;
    if (!request.followRedirects || !REDIRECTS.has(response.status) || !location) return response;
    request = redirected(request, url, location, response.status);
  }
  throw new EgressError("refused", `${first.method} ${first.url} was redirected more than ${MAX_REDIRECTS} times`);
}

function checkedRequest(request: EgressRequest): EgressRequest {
  const method = request.method.toUpperCase();
  if (!METHODS.has(method)) throw new EgressError("refused", `The method '${request.method}' is not allowed`);
  const headers = Object.entries(request.headers).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
  return { ...request, method, headers: Object.fromEntries(headers) };
}

/** Literal addresses never reach the lookup, so they are checked here. */
function checkedUrl(text: string, policy: AddressPolicy): URL {
  if (!URL.canParse(text)) throw new EgressError("refused", `'${text}' is not a URL`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError("refused", `${url.protocol}// is not allowed; use http or https`);
  }
  const host = hostOf(url);
  if (isIP(host) && !isOpened(policy, host, portOf(url))) refuseWhenClosed(host, host);
  return url;
}

async function once(request: EgressRequest, url: URL, agent: Agent): Promise<EgressResponse> {
  const response = await send(url, {
    dispatcher: agent,
    method: request.method as "GET",
    headers: { ...request.headers },
    body: request.body ?? null,
    signal: request.signal ?? null,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > request.maxBytes) {
      response.body.destroy();
      throw new EgressError("too-large", `The answer of ${url.origin} is larger than ${request.maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers: flat(response.headers),
    body: Buffer.concat(chunks),
  };
}

/** 303, and 301/302 of a POST, go on as GET without the body; credentials do not follow to another origin. */
function redirected(request: EgressRequest, from: URL, location: string, status: number): EgressRequest {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to) throw new EgressError("refused", `${from.origin} redirects to '${location}', which is not a URL`);
  const asGet = status === 303 || ((status === 301 || status === 302) && request.method === "POST");
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (to.origin !== from.origin && CREDENTIAL_HEADERS.has(lower)) return false;
      return !(asGet && lower.startsWith("content-"));
    }),
  );
  const { body, ...rest } = request;
  return { ...rest, url: to.href, headers, ...(asGet ? { method: "GET" } : body !== undefined && { body }) };
}

/** The connection goes to the very address that was checked, so a second DNS answer cannot swap it. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return lookupWith(resolve, (host, addresses) => {
    const open = addresses.filter(({ address }) => refusalOf(address) === undefined);
    if (open.length === 0) throw closedHost(host, addresses[0]?.address);
    return open;
  });
}

function plainLookup(resolve: Resolve): LookupFunction {
  return lookupWith(resolve, (_, addresses) => addresses);
}

function lookupWith(resolve: Resolve, choose: (host: string, addresses: Addresses) => Addresses): LookupFunction {
  return (host, options, callback) => {
    resolve(host)
      .then((addresses) => choose(host, addresses))
      .then(
        (addresses) => {
          const [first] = addresses;
          if (!first) return callback(closedHost(host, undefined), "");
          if (options.all)
            return callback(
              null,
              addresses.map(({ address, family }) => ({ address, family })),
            );
          return callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
  };
}

function closedHost(host: string, address: string | undefined): EgressError {
  const why = address ? refusalOf(address) : "it has no address";
  return new EgressError("refused", refusalText(host, why ?? "it is closed"));
}

function refuseWhenClosed(host: string, address: string): void {
  const why = refusalOf(address);
  if (why) throw new EgressError("refused", refusalText(host, why));
}

function refusalText(host: string, why: string): string {
  return `Requests to '${host}' are refused: ${why}. The operator can open it with FRONTDESK_EGRESS_ALLOW=${host}`;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (error instanceof Error) return (error as NodeJS.ErrnoException).code ?? error.message;
  return String(error);
}
