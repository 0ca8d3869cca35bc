import { isIP } from "node:net";
import { type AddressPolicy, openingOf } from "./address-policy.ts";
import { firstListWithout } from "./allowed-origins.ts";
import type { EgressRequest } from "./contract.ts";
import { EgressError } from "./egress-error.ts";
import { rejectBlockedAddress } from "./lookup.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Headers of the connection, which belongs to this module: with them a caller could smuggle a second request. */
const CONNECTION_HEADERS = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
]);

/** The request with a valid method and without headers of the connection. */
export function checkedRequest(request: EgressRequest): EgressRequest {
  const method = request.method.toUpperCase();
  if (!METHODS.has(method)) throw new EgressError("refused", `The method '${request.method}' is not allowed`);
  const headers = Object.entries(request.headers).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
  return { ...request, method, headers: Object.fromEntries(headers) };
}

/** The URL, when the policy allows it. Literal addresses are checked here; host names are checked by the lookup. */
export function checkedUrl(
  { url: text, allowedOrigins = [], connectTo }: Pick<EgressRequest, "url" | "allowedOrigins" | "connectTo">,
  policy: AddressPolicy,
): URL {
  if (!URL.canParse(text)) throw new EgressError("refused", `'${text.split(/[?#]/)[0]}' is not a URL`);
  const url = new URL(text);
  if (hasDotSegment(text))
    throw new EgressError(
      "refused",
      `The path of an address at '${url.origin}' has a part '.' or '..', which would name another place`,
    );
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError("refused", `${url.protocol}// is not allowed; use http or https`);
  }
  const list = firstListWithout(url, allowedOrigins);
  if (list) throw new EgressError("refused", `Requests to '${url.origin}' are refused: ${list.name} does not list it`);
  const host = hostOf(url);
  if (isIP(host) && !connectTo) rejectBlockedAddress(host, host, openingOf(policy, host, portOf(url)));
  return url;
}

/**
 * Whether the path as written has a segment of dots. An address is put together from names that were checked, and sent with credentials: `URL` would
 * take a name with such a segment out of the place that was checked (TOOL-58).
 */
export function hasDotSegment(text: string): boolean {
  const [path = ""] = text.replace(/[\t\n\r]/g, "").split(/[?#]/);
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** Why a URL will be refused, whatever its name stands for; names of this machine stand for it. */
export function refusalOf(text: string, policy: AddressPolicy): string | undefined {
  try {
    const url = checkedUrl({ url: text }, policy);
    const host = hostOf(url);
    if (/^(?:.+\.)?localhost$/.test(host))
      rejectBlockedAddress(host, "127.0.0.1", openingOf(policy, host, portOf(url)));
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return error.message;
    throw error;
  }
}

/** Host of a URL, IPv6 without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Port of a URL, default ports included. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}
