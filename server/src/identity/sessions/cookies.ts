/** The cookies of a request, by name. Of several with one name the first counts, which is the most specific one (RFC 6265, 5.4). */
export function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

/** What a browser is told of a cookie. */
interface CookieOptions {
  /** Seconds; 0 deletes it. */
  readonly maxAge: number;
  /** Only over TLS. */
  readonly secure: boolean;
  readonly path: string;
}

/** A `Set-Cookie` header: out of reach of scripts, and not sent with requests that other sites cause, except when a person follows a link. */
export function setCookie(name: string, value: string, { maxAge, secure, path }: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAge}`, "HttpOnly", "SameSite=Lax"];
  return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
}
