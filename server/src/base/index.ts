/** The floor of the house: time, ids, logs, JSON, async iterables, the egress gate. Knows nothing of agents or Google. */
export { AsyncQueue } from "./async-queue.ts";
export { type Clock, LONGEST_TIMER_MS, systemClock } from "./clock.ts";
export type { AddressPolicy } from "./egress/address-policy.ts";
export type { OriginList } from "./egress/allowed-origins.ts";
export type { EgressPlace, EgressTls } from "./egress/dispatchers.ts";
export {
  createEgress,
  type Egress,
  type EgressRequest,
  type EgressResponse,
  type EgressStream,
} from "./egress/egress.ts";
export { EgressError } from "./egress/egress-error.ts";
export { type Expression, ExpressionError, parseExpression } from "./expression.ts";
export { type Ids, systemIds } from "./ids.ts";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.ts";
export { createLogger, type Logger } from "./logger.ts";
export { unreachable } from "./unreachable.ts";
export {
  flatMapStream,
  laterStream,
  mapStream,
  type StreamEnd,
  type StreamWatcher,
  watchStream,
} from "./watch-stream.ts";
