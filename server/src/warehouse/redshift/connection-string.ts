import { QueryError } from "../contract.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const PORT = "5439";

/**
 * Reads `redshift://user:password@host:5439/database?sslmode=…` as the driver takes it. `sslmode` is as of PostgreSQL; without it the certificate is verified,
 * except on this machine. Throws a `QueryError` without the string, which has a password.
 */
export function readRedshiftAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^(redshift|postgres|postgresql):$/.test(url.protocol) || url.hostname === "" || url.pathname.length < 2)
    throw new QueryError("failed", "The connection string must be redshift://user:password@host:5439/database.");
  if (url.port === "") url.port = PORT;
  if (!url.searchParams.has("sslmode"))
    url.searchParams.set("sslmode", LOOPBACK.has(url.hostname) ? "disable" : "verify-full");
  return url.href.replace(/^[a-z]+:/, "postgresql:");
}
