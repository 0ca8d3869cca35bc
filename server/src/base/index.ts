/** The floor of the house: time, ids, logs, JSON, async iterables, the egress gate. Knows nothing of agents or Google. */
export { AsyncQueue } from "./async-queue.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Ids, systemIds } from "./ids.ts";
export { type JsonArray, type JsonObject, type JsonValue, isJsonObject } from "./json.ts";
export { createLogger, type Logger } from "./logger.ts";
export { unreachable } from "./unreachable.ts";
