/** Who calls: credentials become callers. What callers may do is decided elsewhere. */
export { createAuthenticator } from "./authenticator.ts";
export type { StaticToken } from "./static-tokens.ts";
