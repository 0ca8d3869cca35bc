/** Requests that tools make to other servers: credentials, secrets, TLS, allow lists, retries, all through the egress gate. */
export { closedOutbound } from "./closed-outbound.ts";
export {
  type AppNetwork,
  type AuthorizedRequest,
  type EndUserCredentials,
  type Outbound,
  type OutboundConfig,
  type OutboundContext,
  OutboundError,
  type OutboundRequest,
  type OutboundRoute,
  type SecretSources,
  type WebFetchLimits,
} from "./contract.ts";
export { createOutbound, type OutboundDeps } from "./create-outbound.ts";
export { variableNamed, variableText } from "./variable-reference.ts";
