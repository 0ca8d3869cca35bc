/** Who calls: credentials become callers. What callers may do is decided elsewhere. */
export {
  type Authentication,
  type AuthenticationSettings,
  createAuthentication,
  METADATA_CREDENTIAL,
} from "./create-authentication.ts";
export { SESSION_COOKIE } from "./credential-of.ts";
export type { Credential, CredentialKind } from "./credentials/contract.ts";
export { emailOf, serviceAccountOf } from "./credentials/service-accounts.ts";
export type { Issuer } from "./issuers/contract.ts";
export { TOKEN_PATH } from "./own-addresses.ts";
export { cookiesOf, setCookie } from "./sessions/cookies.ts";
export { SignInError } from "./sign-in/contract.ts";
export { POLL_INTERVAL_S } from "./sign-in/device-logins.ts";
export type { TokenEndpoint } from "./token-endpoint/contract.ts";
export { bearerToken } from "./tokens/bearer-token.ts";
export { type ChatTokens, createChatTokens } from "./tokens/chat-tokens.ts";
