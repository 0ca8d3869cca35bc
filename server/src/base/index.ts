/** The floor of the house: time, ids, logs, JSON, async iterables, the egress gate. Knows nothing of agents or Google. */
export { AsyncQueue } from "./async-queue.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { AddressPolicy } from "./egress/address-policy.ts";
export { createEgress, type Egress, EgressError, type EgressRequest, type EgressResponse } from "./egress/egress.ts";
export { type Expression, ExpressionError, parseExpression } from "./expression.ts";
export { type Ids, systemIds } from "./ids.ts";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.ts";
export { createLogger, type Logger } from "./logger.ts";
export { unreachable } from "./unreachable.ts";
