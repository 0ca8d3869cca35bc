import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { App } from "@frontdesk/protos/ces/app";
import { LRUCache } from "lru-cache";
import { type Clock, isTimeZone, type JsonObject, type JsonValue, mergeJson, zoneDateFormat } from "#base";
import { invalidArgument } from "#status";
import type { ToolStateChange } from "#tools";
import type { Channel } from "../channel.ts";

/** Names of the variables that every app has (TURN-41). */
export const PREDEFINED_VARIABLES: readonly string[] = ["current_date", "_session"];

/** The declared variables that have a default, with it: the state of a new session. */
export function variableDefaults(app: App): JsonObject {
  const defaults: JsonObject = {};
  for (const { name, schema } of app.variableDeclarations) {
    if (schema?.default) defaults[name] = toJson(ValueSchema, schema.default) as JsonValue;
  }
  return defaults;
}

/** What the predefined variables are computed from. */
interface PredefinedSource {
  readonly sessionId: string;
  readonly channel: Channel;
  readonly index: { readonly languageCode: string };
  /** IANA name; "" = UTC. */
  readonly timeZone: string;
  readonly engine: { readonly clock: Clock };
}

/** The predefined variables' values in a turn. */
export function predefinedVariables({ sessionId, channel, index, timeZone, engine }: PredefinedSource): JsonObject {
  return {
    current_date: currentDate(engine.clock.now(), timeZone),
    _session: {
      id: sessionId,
      channel: channel.channel,
      modality: channel.modality,
      language_code: index.languageCode,
      time_zone: timeZone || "UTC",
    },
  };
}

/** The whole state as user code and prompts see it: the predefined variables, and the session's own. */
export function stateValues(turn: PredefinedSource & { readonly variables: Pick<Variables, "values"> }): JsonObject {
  return mergeJson(predefinedVariables(turn), turn.variables.values);
}

/** The last date computed, by zone: every call of user code needs it, and no zone changes its date within a minute. */
const dates = new LRUCache<string, { readonly minute: number; readonly date: string }>({ max: 1_000 });

/** The date, `2026-11-20`, at a time (milliseconds) in a time zone (IANA name; "" = UTC). */
export function currentDate(now: number, timeZone: string): string {
  const zone = timeZone || "UTC";
  const minute = Math.floor(now / 60_000);
  const known = dates.get(zone);
  if (known?.minute === minute) return known.date;
  const date = zoneDateFormat(zone).format(now);
  dates.set(zone, { minute, date });
  return date;
}

/** INVALID_ARGUMENT unless the name is a time zone this machine knows. */
export function checkTimeZone(timeZone: string): void {
  if (timeZone === "" || isTimeZone(timeZone)) return;
  throw invalidArgument({
    field: "config.time_zone",
    description: `'${timeZone}' is not a time zone of the IANA database, such as 'Europe/Paris'.`,
  });
}

/** The session's variables. Values are never changed in place; `fork` gives concurrent tool calls their own. */
export class Variables {
  #values: JsonObject;
  #delta: JsonObject | undefined;
  #changes: ToolStateChange[] = [];

  constructor(values: JsonObject) {
    this.#values = values;
  }

  /** All present values. */
  get values(): JsonObject {
    return this.#values;
  }

  /** What was applied since this object was made. */
  get changes(): readonly ToolStateChange[] {
    return this.#changes;
  }

  fork(): Variables {
    return new Variables(this.#values);
  }

  apply(change: ToolStateChange): void {
    const names = Object.keys(change.set);
    if (names.length === 0 && change.removed.length === 0) return;
    const values = mergeJson(this.#values, change.set);
    const delta = mergeJson(this.#delta ?? {}, change.set);
    for (const name of change.removed) {
      delete values[name];
      delta[name] = null;
    }
    this.#values = values;
    this.#delta = delta;
    this.#changes.push(change);
  }

  /** The state delta since the last call, for the record; a removed variable is null. Undefined = nothing changed. */
  takeDelta(): JsonObject | undefined {
    const delta = this.#delta;
    this.#delta = undefined;
    return delta;
  }
}
