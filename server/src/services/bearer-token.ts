import type { CallContext } from "#rpc";

const BEARER = /^bearer +(?<token>\S+)$/i;

/** The token of an `Authorization: Bearer` header (RFC 6750); undefined when there is none. */
export function bearerToken(headers: CallContext["headers"]): string | undefined {
  return BEARER.exec(headers.get("authorization") ?? "")?.groups?.token;
}
