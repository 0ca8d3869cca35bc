/** Requests of tools to other servers: credentials, secrets, TLS, allow lists and retries, all through the egress gate. */
export {
  type AppNetwork,
  type Outbound,
  type OutboundConfig,
  type OutboundContext,
  OutboundError,
  type OutboundRequest,
  type OutboundRoute,
} from "./contract.ts";
export { closedOutbound, createOutbound, type OutboundDeps } from "./create-outbound.ts";
export { variableNamed, variableText } from "./variable-reference.ts";
