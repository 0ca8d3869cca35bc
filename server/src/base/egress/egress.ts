import { lookup as systemLookup } from "node:dns/promises";
import { request as send } from "undici";
import type { AddressPolicy } from "./address-policy.ts";
import { checkedRequest, checkedUrl, hostOf, portOf, refusalOf } from "./check-request.ts";
import type { Egress, EgressRequest, EgressResponse, EgressStream } from "./contract.ts";
import { decodedResponse } from "./decoded-body.ts";
import { type ConnectTarget, createDispatchers, type Dispatchers } from "./dispatchers.ts";
import { EgressError, reasonOf } from "./egress-error.ts";
import type { Resolve } from "./lookup.ts";
import { createOpenSocket } from "./open-socket.ts";
import { redirected } from "./redirect.ts";
import { withheld } from "./withheld.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const resolveAll: Resolve = (host) => systemLookup(host, { all: true });

/** Creates the gate for outbound requests. Private addresses are blocked unless `policy` allows them. */
export function createEgress(
  policy: AddressPolicy,
  { resolve = resolveAll }: { readonly resolve?: Resolve } = {},
): Egress {
  const dispatchers = createDispatchers(policy, resolve);
  return {
    fetch: (request) =>
      withTimeLimit(request, AbortSignal.timeout(request.timeoutMs), async (signal) =>
        readAll(await follow({ ...request, signal }, policy, dispatchers)),
      ),
    open: async (request) => {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), request.timeoutMs);
      try {
        return await withTimeLimit(request, timeout.signal, (signal) =>
          follow({ ...request, signal }, policy, dispatchers),
        );
      } finally {
        clearTimeout(timer);
      }
    },
    refusal: (url) => refusalOf(url, policy),
    connect: createOpenSocket(policy, resolve),
    close: () => dispatchers.close(),
  };
}

/** Runs a request within its time limit. Every failure becomes an `EgressError`. */
async function withTimeLimit<T>(
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

/** Method and URL without the query, which may have a key. */
function titleOf({ method, url }: EgressRequest): string {
  const [address = ""] = url.split(/[?#]/);
  return `${method} ${address.replace(/\/\/[^/@]*@/, "//")}`;
}

async function follow(first: EgressRequest, policy: AddressPolicy, dispatchers: Dispatchers): Promise<EgressStream> {
  let request = checkedRequest(first);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = checkedUrl(request, policy);
    const agent = dispatchers.pick(hostOf(url), request.connectTo?.port ?? portOf(url), request);
    const response = await sendOnce(request, url, agent);
    const location = response.headers.location;
    if (!request.followRedirects || !REDIRECTS.has(response.status) || !location) return response;
    await discard(response);
    request = redirected(request, url, location, response.status);
  }
  throw new EgressError("refused", `${titleOf(first)} was redirected more than ${MAX_REDIRECTS} times`);
}

async function sendOnce(
  request: EgressRequest,
  url: URL,
  agent: ReturnType<Dispatchers["pick"]>,
): Promise<EgressStream> {
  const response = await send(addressOf(url, request.connectTo), {
    dispatcher: agent,
    method: request.method as "GET",
    // The Host header, and TLS, have the name of the URL, wherever the connection goes.
    headers: { ...request.headers, ...(request.connectTo && { host: url.host }) },
    body: request.body ?? null,
    signal: request.signal ?? null,
  });
  const { headers, body } = decodedResponse({
    headers: joinedHeaders(response.headers),
    body: limited(response.body, request.maxBytes, url.origin),
  });
  // What a small body decodes to may be large.
  const decoded = limited(body, request.maxBytes, url.origin);
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers,
    body: response.statusCode < 400 ? decoded : withheld(decoded, request.secrets ?? []),
  };
}

function addressOf(url: URL, connectTo: ConnectTarget | undefined): URL {
  if (!connectTo) return url;
  const address = new URL(url);
  address.port = String(connectTo.port);
  return address;
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number, origin: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes)
      throw new EgressError("too-large", `The response of ${origin} is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function readAll({ body, ...head }: EgressStream): Promise<EgressResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...head, body: Buffer.concat(chunks) };
}

/** Discards the body of a redirect, which returns its connection to the pool. */
async function discard({ body }: EgressStream): Promise<void> {
  const reading = body[Symbol.asyncIterator]();
  await reading.next();
  await reading.return?.();
}

function joinedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}
