import type { EgressRequest } from "./contract.ts";
import type { EgressTls } from "./dispatchers.ts";
import { EgressError } from "./egress-error.ts";

const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];

/** The request after a redirect. 303, and 301/302 of a POST, become GET without a body; credentials are not sent to another origin. */
export function redirected(request: EgressRequest, from: URL, location: string, status: number): EgressRequest {
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
    // Settings for one host, and its client certificate, do not apply to another origin.
    ...(to.origin === from.origin && connectTo && { connectTo }),
    ...(tls && { tls: to.origin === from.origin ? tls : authoritiesOf(tls) }),
  };
}

function authoritiesOf({ ca }: EgressTls): EgressTls {
  return ca ? { ca } : {};
}
