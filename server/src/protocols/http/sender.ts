import type { IncomingMessage } from "node:http";
import { definedFields } from "#base";
import { cancelled } from "#status";
import { clientCertificateOf } from "./client-certificate.ts";
import { type Exchange, headerMap, type ResolvedDeps, type Sender } from "./exchange.ts";

/** How a protocol is spoken to. */
interface SenderOptions {
  /** Default those of the request. */
  readonly headers?: ReadonlyMap<string, string>;
  /** Whether the HTTP method alone says that the request changes nothing. Default: as HTTP has it. */
  readonly isSafe?: boolean;
  /** Path of an endpoint whose tokens must be made for it. Default none. */
  readonly endpoint?: string;
}

const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Finds out who makes a request, before its body is read. Throws UNAUTHENTICATED, or CANCELLED when the client has gone meanwhile. */
export async function senderOf(
  { request, signal }: Pick<Exchange, "request" | "signal">,
  deps: Pick<ResolvedDeps, "authenticator" | "peerOf">,
  options?: SenderOptions,
): Promise<Sender> {
  const sender = await identifySender(request, deps, options);
  if (signal.aborted) throw cancelled("The client disconnected before the request was read.");
  return sender;
}

/** Finds out who makes a request without a body. Throws UNAUTHENTICATED. */
export async function identifySender(
  request: IncomingMessage,
  { authenticator, peerOf }: Pick<ResolvedDeps, "authenticator" | "peerOf">,
  { headers = headerMap(request), isSafe = SAFE_METHODS.has(request.method), endpoint }: SenderOptions = {},
): Promise<Sender> {
  const peer = peerOf(request);
  const certificate = clientCertificateOf(request);
  const caller = await authenticator.authenticate({
    headers,
    peer,
    isSafe,
    ...definedFields({ endpoint, certificate }),
  });
  return { caller, peer, headers };
}

/** Parameters that stand for a header, for clients that cannot set headers (cloud.google.com/apis/docs/system-parameters). */
const PARAMETERS: Readonly<Record<string, (value: string) => readonly [header: string, value: string]>> = {
  access_token: (token) => ["authorization", `Bearer ${token}`],
  oauth_token: (token) => ["authorization", `Bearer ${token}`],
  key: (key) => ["x-goog-api-key", key],
  // Not a header of its own for pages of other sites: a server that does not know it would refuse their preflight (WIRE-80).
  "$idempotency-key": (key) => ["idempotency-key", key],
};

const NAMES_PARAMETER = /[?&](?:access_token|oauth_token|key|(?:\$|%24)idempotency-key)=/i;

/** The headers of a request with those that its address stands in for. A header that was sent wins. */
export function headersWithParameters(request: IncomingMessage): ReadonlyMap<string, string> {
  const headers = headerMap(request);
  const { url = "" } = request;
  if (!NAMES_PARAMETER.test(url)) return headers;
  const given = [...new URLSearchParams(url.slice(url.indexOf("?")))].flatMap(([name, value]) => {
    const header = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name]?.(value) : undefined;
    return header ? [header] : [];
  });
  return new Map([...given, ...headers]);
}
