import { type AuthorizedRequest, OutboundError, type OutboundRequest } from "./contract.ts";
import type { Credential } from "./credentials.ts";

/** Adds a credential to a request. It replaces a header of the same name; a cookie is appended to the request's cookies. */
export function applyCredential(
  { url, headers }: Pick<OutboundRequest, "url" | "headers">,
  credential: Credential,
): AuthorizedRequest {
  switch (credential.kind) {
    case "none":
      return { url, headers, secretHeaders: [] };
    case "bearer":
      return withHeader(url, headers, "authorization", `Bearer ${credential.token}`);
    case "query": {
      const target = new URL(url);
      target.searchParams.set(credential.name, credential.value);
      return { url: target.href, headers, secretHeaders: [] };
    }
    default:
      return withHeader(url, headers, credential.name, headerValue(headers, credential));
  }
}

function headerValue(
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
    throw new OutboundError("unauthorized", `'${name}' is not a valid header name.`);
  // Checked here because the HTTP client's error would quote the value.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new OutboundError(
      "unauthorized",
      `The credential for the header '${name}' has characters that are not allowed in a header.`,
    );
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== lower);
  return { url, headers: { ...Object.fromEntries(others), [lower]: value }, secretHeaders: [lower] };
}
