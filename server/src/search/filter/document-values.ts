import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** All values at a dotted path of a document's data; lists on the way and at the end count with each of their members. */
export function valuesAt(data: JsonObject, path: string): readonly JsonValue[] {
  let values: readonly JsonValue[] = [data];
  for (const name of path.split(".")) {
    values = values.flatMap((value) => (isJsonObject(value) && value[name] !== undefined ? flat(value[name]) : []));
  }
  return values;
}

function flat(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value.flatMap(flat) : [value];
}

/** A number, also one that is written as text (a cell of a table). */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const DATE = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Milliseconds since the epoch of a date or time of ISO 8601; a time without an offset is UTC. */
export function instantOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string" || !DATE.test(value)) return undefined;
  const zoned = /[T ]/.test(value) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value;
  const instant = Date.parse(zoned.replace(" ", "T"));
  return Number.isNaN(instant) ? undefined : instant;
}
