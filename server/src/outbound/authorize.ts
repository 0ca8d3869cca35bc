import type { AuthorizedRequest, OutboundRequest } from "./contract.ts";
import { OutboundError } from "./contract.ts";
import type { Credential } from "./credentials.ts";

/** A request with its credential. A header that the request already has under that name gives way to it. */
export function withCredential(
  { url, headers }: Pick<OutboundRequest, "url" | "headers">,
  credential: Credential,
): AuthorizedRequest {
  switch (credential.kind) {
    case "none":
      return { url, headers, secretHeaders: [] };
    case "bearer":
      return withHeader(url, headers, "authorization", `Bearer ${credential.token}`);
    case "query": {
      const address = new URL(url);
      address.searchParams.set(credential.name, credential.value);
      return { url: address.href, headers, secretHeaders: [] };
    }
    default:
      return withHeader(url, headers, credential.name, withCookies(headers, credential));
  }
}

/** A cookie joins those that the request has. */
function withCookies(
  headers: Readonly<Record<string, string>>,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  if (name.toLowerCase() !== "cookie") return value;
  const others = Object.entries(headers).find(([other]) => other.toLowerCase() === "cookie")?.[1];
  return others ? `${others}; ${value}` : value;
}

function withHeader(
  url: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  value: string,
): AuthorizedRequest {
  const lower = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower))
    throw new OutboundError("unauthorized", `'${name}' is no name of a header.`);
  // Checked here because the error of the client library would quote the value.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new OutboundError(
      "unauthorized",
      `The credential for the header '${name}' has characters that no header takes.`,
    );
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== lower);
  return { url, headers: { ...Object.fromEntries(others), [lower]: value }, secretHeaders: [lower] };
}
