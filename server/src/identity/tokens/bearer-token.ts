const BEARER = /^bearer +(?<token>\S+)$/i;

/** The token of an `Authorization: Bearer` header (RFC 6750); undefined when there is none. */
export function bearerToken(headers: ReadonlyMap<string, string>): string | undefined {
  return BEARER.exec(headers.get("authorization") ?? "")?.groups?.token;
}
