import { isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import { SearchError } from "../contract.ts";

type Condition = (data: JsonObject) => boolean;

/** `field: ANY("a", "b")`: one of the field's values equals one of these. */
export function anyOf(field: string, expected: readonly string[]): Condition {
  const set = new Set(expected);
  return (data) => valuesAt(data, field).some((value) => set.has(textOrJson(value)));
}

/** `field: IN(low, high)`: bounds are inclusive unless they end in `e`; `*` is unbounded. */
export function inRange(field: string, bounds: readonly string[]): Condition {
  const [low, high, ...more] = bounds;
  if (low === undefined || high === undefined || more.length > 0)
    throw new SearchError(`IN of '${field}' takes a lower and an upper bound.`);
  const above = bound(low, field);
  const below = bound(high, field);
  return (data) =>
    valuesAt(data, field).some((value) => {
      const number = numberOf(value);
      if (number === undefined) return false;
      return (
        (!above || (above.inclusive ? number >= above.at : number > above.at)) &&
        (!below || (below.inclusive ? number <= below.at : number < below.at))
      );
    });
}

function bound(text: string, field: string): { readonly at: number; readonly inclusive: boolean } | undefined {
  if (text === "*") return undefined;
  const match = /^(-?\d+(?:\.\d+)?)([ie]?)$/.exec(text);
  if (!match) throw new SearchError(`'${text}' is not a bound of IN for '${field}'; write a number, or * for none.`);
  return { at: Number(match[1]), inclusive: match[2] !== "e" };
}

/** `field < 5`, `field >= "2026-01-31"`, `field = "text"`; `:` with a plain value is the same as `=`. */
export function compare(field: string, comparator: string, expected: string): Condition {
  const order = orderWith(expected);
  const test = TESTS[comparator];
  if (!test) throw new SearchError(`The filter has no comparator '${comparator}'.`);
  if (comparator === "!=") return (data) => !valuesAt(data, field).some((value) => order(value) === 0);
  return (data) =>
    valuesAt(data, field).some((value) => {
      const found = order(value);
      return found !== undefined && test(found);
    });
}

const TESTS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  ":": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Orders a document's value relative to the filter's value: as numbers or times where the filter's value is one, else as text. */
function orderWith(expected: string): (value: JsonValue) => number | undefined {
  const number = numberOf(expected);
  const instant = instantOf(expected);
  return (value) => {
    if (number !== undefined) return difference(numberOf(value), number);
    if (instant !== undefined) return difference(instantOf(value), instant);
    const text = textOrJson(value);
    return text === expected ? 0 : text < expected ? -1 : 1;
  };
}

function difference(value: number | undefined, expected: number): number | undefined {
  return value === undefined ? undefined : value - expected;
}

const EARTH_RADIUS = 6_371_000;

/** `GEO_DISTANCE(field, latitude, longitude, metres)`. Addresses are not geocoded. */
export function geoDistance(field: string, numbers: readonly string[]): Condition {
  const [latitude, longitude, metres] = numbers.map(Number);
  if (numbers.length !== 3 || ![latitude, longitude, metres].every(Number.isFinite))
    throw new SearchError("GEO_DISTANCE takes a field, a latitude, a longitude and a distance in metres.");
  const from = { latitude: latitude ?? 0, longitude: longitude ?? 0 };
  return (data) =>
    valuesAt(data, field).some((value) => {
      const to = coordinatesOf(value);
      return to !== undefined && metresBetween(from, to) <= (metres ?? 0);
    });
}

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

function coordinatesOf(value: JsonValue): Coordinates | undefined {
  if (isJsonObject(value)) {
    const latitude = numberOf(value.latitude);
    const longitude = numberOf(value.longitude);
    return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  }
  const match = typeof value === "string" ? /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(value) : null;
  return match ? { latitude: Number(match[1]), longitude: Number(match[2]) } : undefined;
}

/** Great-circle distance. */
function metresBetween(from: Coordinates, to: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (first: number, second: number) => Math.sin(radians(second - first) / 2) ** 2;
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** All values at a dotted path of a document's metadata; lists contribute each of their items. */
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

/** A number, also one in a string (a cell of a table). */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const DATE = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Milliseconds since 1970 of a date or time in ISO 8601; a time without an offset is UTC. */
export function instantOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string" || !DATE.test(value)) return undefined;
  const zoned = /[T ]/.test(value) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value;
  const instant = Date.parse(zoned.replace(" ", "T"));
  return Number.isNaN(instant) ? undefined : instant;
}
