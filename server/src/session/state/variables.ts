import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { App } from "@frontdesk/protos/ces/app";
import type { JsonObject, JsonValue } from "#base";
import { invalidArgument } from "#status";
import type { ToolStateChange } from "#tools";
import { channelOf } from "../channel.ts";
import type { TurnRun } from "../turn/turn-context.ts";

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

/** The predefined variables' values outside a session: at a time (milliseconds) in a time zone (IANA name; "" = UTC). */
export function predefinedVariables(now: number, timeZone: string): JsonObject {
  return { current_date: currentDate(now, timeZone) };
}

/** The predefined variables' values in a turn. */
export function predefinedOf({ engine, index, request, sessionId }: TurnRun): JsonObject {
  const timeZone = request.config.timeZone || index.timeZone || "UTC";
  const { channel, modality } = channelOf(request);
  return {
    ...predefinedVariables(engine.clock.now(), timeZone),
    _session: { id: sessionId, channel, modality, language_code: index.languageCode, time_zone: timeZone },
  };
}

/** The date, `2026-11-20`, at a time (milliseconds) in a time zone (IANA name; "" = UTC). */
export function currentDate(now: number, timeZone: string): string {
  const zone = timeZone || "UTC";
  const minute = Math.floor(now / 60_000);
  const known = dates.get(zone);
  if (known?.minute === minute) return known.date;
  const date = dateFormat(zone).format(now);
  dates.set(zone, { minute, date });
  return date;
}

/** The last date asked for, by zone: every call of user code asks, and no zone changes its date within a minute. */
const dates = new Map<string, { readonly minute: number; readonly date: string }>();

/** INVALID_ARGUMENT unless the name is a time zone this machine knows. */
export function checkTimeZone(timeZone: string): void {
  try {
    if (timeZone) dateFormat(timeZone);
  } catch {
    throw invalidArgument({
      field: "config.time_zone",
      description: `'${timeZone}' is not a time zone of the IANA database, such as 'Europe/Paris'.`,
    });
  }
}

/** Formatters are costly to make and few: one a time zone. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes `2026-11-20`. Throws RangeError for an unknown zone. */
function dateFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format);
  }
  return format;
}

/** The variables as one strand of work sees them. Values are never changed in place; `fork` gives concurrent work its own. */
export class Variables {
  #values: JsonObject;
  #updated: JsonObject | undefined;
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
    const values = { ...this.#values, ...change.set };
    const updated: JsonObject = { ...this.#updated, ...change.set };
    for (const name of change.removed) {
      delete values[name];
      updated[name] = null;
    }
    this.#values = values;
    this.#updated = updated;
    this.#changes.push(change);
  }

  /** The new values since the last call, for the record; a removed variable is null. Undefined = nothing changed. */
  takeUpdated(): JsonObject | undefined {
    const updated = this.#updated;
    this.#updated = undefined;
    return updated;
  }
}
