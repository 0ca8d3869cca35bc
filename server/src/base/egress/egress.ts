import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { request as send } from "undici";
import { type AddressPolicy, isOpened } from "./address-policy.ts";
import { forbiddenBy, type OriginList } from "./allowed-origins.ts";
import { type ConnectTarget, createDispatchers, type Dispatchers, type EgressTls } from "./dispatchers.ts";
import { EgressError, reasonOf } from "./egress-error.ts";
import { type Resolve, refuseWhenClosed } from "./lookup.ts";

/** An outbound HTTP request made on behalf of user code or an imported app. */
export interface EgressRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Milliseconds for the whole exchange, redirects included; for `open`, until the head of the answer. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Largest answer read, bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Lower-case names of headers that stay behind when a redirect changes the origin, beside the usual ones. Default none. */
  readonly secretHeaders?: readonly string[];
  /** Origins that the request and its redirects are held to: each list has to have them. Default: any. */
  readonly allowedOrigins?: readonly OriginList[];
  /** Default: the usual authorities, no client certificate. */
  readonly tls?: EgressTls;
  /** Where the first connection goes instead of the URL's host. The operator configured it, so private addresses are allowed. */
  readonly connectTo?: ConnectTarget;
}

/** An answer whose body is still to be read. */
export interface EgressStream {
  readonly status: number;
  readonly statusText: string;
  /** Lower-case names; repeated ones joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends with an `EgressError` after `maxBytes`. To leave early, abort the request's signal or end the iteration. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface EgressResponse extends Omit<EgressStream, "body"> {
  readonly body: Uint8Array;
}

/** The one gate for outbound requests: public addresses only, DNS pinned to the checked address, redirects checked again. */
export interface Egress {
  /** Rejects with `EgressError` when the request is refused, times out, is too large or does not get through. */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  /** The same, as soon as the head of the answer is there. */
  open(request: EgressRequest): Promise<EgressStream>;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Headers that speak about the connection, which is the gate's: what a caller says of it could be read as another request. */
const CONNECTION_HEADERS = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
]);
const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];

const resolveAll: Resolve = (host) => systemLookup(host, { all: true });

/** Creates the gate. Everything private stays closed unless `policy` opens it. */
export function createEgress(
  policy: AddressPolicy,
  { resolve = resolveAll }: { readonly resolve?: Resolve } = {},
): Egress {
  const dispatchers = createDispatchers(policy, resolve);
  return {
    fetch: (request) =>
      bounded(request, AbortSignal.timeout(request.timeoutMs), async (signal) =>
        readAll(await follow({ ...request, signal }, policy, dispatchers)),
      ),
    open: async (request) => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), request.timeoutMs);
      try {
        return await bounded(request, late.signal, (signal) => follow({ ...request, signal }, policy, dispatchers));
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => dispatchers.close(),
  };
}

/** Runs a request under its time limit and tells what ended it. */
async function bounded<T>(
  request: EgressRequest,
  timeout: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(request.signal ? AbortSignal.any([request.signal, timeout]) : timeout);
  } catch (error) {
    if (error instanceof EgressError) throw error;
    if (timeout.aborted)
      throw new EgressError("timeout", `${titleOf(request)} took longer than ${request.timeoutMs} ms`);
    request.signal?.throwIfAborted();
    throw new EgressError("failed", `${titleOf(request)} failed: ${reasonOf(error)}`, error);
  }
}

/** Method and address without the query, which may hold a key. */
function titleOf({ method, url }: EgressRequest): string {
  const [address = ""] = url.split(/[?#]/);
  return `${method} ${address.replace(/\/\/[^/@]*@/, "//")}`;
}

async function follow(first: EgressRequest, policy: AddressPolicy, dispatchers: Dispatchers): Promise<EgressStream> {
  let request = checkedRequest(first);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = checkedUrl(request, policy);
    const agent = dispatchers.pick(hostOf(url), request.connectTo?.port ?? portOf(url), request);
    const response = await once(request, url, agent);
    const location = response.headers.location;
    if (!request.followRedirects || !REDIRECTS.has(response.status) || !location) return response;
    await drop(response);
    request = redirected(request, url, location, response.status);
  }
  throw new EgressError("refused", `${titleOf(first)} was redirected more than ${MAX_REDIRECTS} times`);
}

function checkedRequest(request: EgressRequest): EgressRequest {
  const method = request.method.toUpperCase();
  if (!METHODS.has(method)) throw new EgressError("refused", `The method '${request.method}' is not allowed`);
  const headers = Object.entries(request.headers).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
  return { ...request, method, headers: Object.fromEntries(headers) };
}

/** Literal addresses never reach the lookup, so they are checked here. */
function checkedUrl({ url: text, allowedOrigins = [], connectTo }: EgressRequest, policy: AddressPolicy): URL {
  if (!URL.canParse(text)) throw new EgressError("refused", `'${text.split(/[?#]/)[0]}' is not a URL`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError("refused", `${url.protocol}// is not allowed; use http or https`);
  }
  const list = forbiddenBy(url, allowedOrigins);
  if (list) throw new EgressError("refused", `Requests to '${url.origin}' are refused: ${list.name} does not list it`);
  const host = hostOf(url);
  if (isIP(host) && !connectTo && !isOpened(policy, host, portOf(url))) refuseWhenClosed(host, host);
  return url;
}

async function once(request: EgressRequest, url: URL, agent: ReturnType<Dispatchers["pick"]>): Promise<EgressStream> {
  const response = await send(addressOf(url, request.connectTo), {
    dispatcher: agent,
    method: request.method as "GET",
    // The other side, and TLS, hear the name that was asked for, wherever the connection goes.
    headers: { ...request.headers, ...(request.connectTo && { host: url.host }) },
    body: request.body ?? null,
    signal: request.signal ?? null,
  });
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers: flat(response.headers),
    body: atMost(response.body, request.maxBytes, url.origin),
  };
}

function addressOf(url: URL, connectTo: ConnectTarget | undefined): URL {
  if (!connectTo) return url;
  const address = new URL(url);
  address.port = String(connectTo.port);
  return address;
}

async function* atMost(body: AsyncIterable<Uint8Array>, maxBytes: number, origin: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new EgressError("too-large", `The answer of ${origin} is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function readAll({ body, ...head }: EgressStream): Promise<EgressResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...head, body: Buffer.concat(chunks) };
}

/** What a redirect says beside its address is of no use; its connection is given back. */
async function drop({ body }: EgressStream): Promise<void> {
  const reading = body[Symbol.asyncIterator]();
  await reading.next();
  await reading.return?.();
}

/** 303, and 301/302 of a POST, go on as GET without the body; credentials do not follow to another origin. */
function redirected(request: EgressRequest, from: URL, location: string, status: number): EgressRequest {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to) throw new EgressError("refused", `${from.origin} redirects to '${location}', which is not a URL`);
  const asGet = status === 303 || ((status === 301 || status === 302) && request.method === "POST");
  const secret = new Set([...CREDENTIAL_HEADERS, ...(request.secretHeaders ?? [])]);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (to.origin !== from.origin && secret.has(lower)) return false;
      return !(asGet && lower.startsWith("content-"));
    }),
  );
  const { body, connectTo, tls, ...rest } = request;
  return {
    ...rest,
    url: to.href,
    headers,
    ...(asGet ? { method: "GET" } : body !== undefined && { body }),
    // What the operator says of one name, and the certificate shown to it, are nothing to another origin.
    ...(to.origin === from.origin && connectTo && { connectTo }),
    ...(tls && { tls: to.origin === from.origin ? tls : authoritiesOf(tls) }),
  };
}

function authoritiesOf({ ca }: EgressTls): EgressTls {
  return ca ? { ca } : {};
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
