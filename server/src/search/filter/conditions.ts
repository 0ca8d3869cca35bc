import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { SearchError } from "../contract.ts";
import { instantOf, numberOf, valuesAt } from "./document-values.ts";

type Condition = (data: JsonObject) => boolean;

/** `field: ANY("a", "b")`: one of the field's values is one of these, letter by letter. */
export function isAnyOf(field: string, wanted: readonly string[]): Condition {
  const set = new Set(wanted);
  return (data) => valuesAt(data, field).some((value) => set.has(asText(value)));
}

/** `field: IN(low, high)`: bounds count unless they end in `e`; `*` is none. */
export function isIn(field: string, bounds: readonly string[]): Condition {
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
        (!above || (above.counts ? number >= above.at : number > above.at)) &&
        (!below || (below.counts ? number <= below.at : number < below.at))
      );
    });
}

function bound(text: string, field: string): { readonly at: number; readonly counts: boolean } | undefined {
  if (text === "*") return undefined;
  const match = /^(-?\d+(?:\.\d+)?)([ie]?)$/.exec(text);
  if (!match) throw new SearchError(`'${text}' is no bound of IN for '${field}'; write a number, or * for none.`);
  return { at: Number(match[1]), counts: match[2] !== "e" };
}

/** `field < 5`, `field >= "2026-01-31"`, `field = "text"`; `:` with a plain value is the same as `=`. */
export function compare(field: string, comparator: string, wanted: string): Condition {
  const order = orderWith(wanted);
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

/** How a document's value stands to the wanted one: as numbers where both are, as times where both are, else as text. */
function orderWith(wanted: string): (value: JsonValue) => number | undefined {
  const number = numberOf(wanted);
  const instant = instantOf(wanted);
  return (value) => {
    if (number !== undefined) return difference(numberOf(value), number);
    if (instant !== undefined) return difference(instantOf(value), instant);
    const text = asText(value);
    return text === wanted ? 0 : text < wanted ? -1 : 1;
  };
}

function difference(value: number | undefined, wanted: number): number | undefined {
  return value === undefined ? undefined : value - wanted;
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const EARTH_RADIUS = 6_371_000;

/** `GEO_DISTANCE(field, latitude, longitude, metres)`. Addresses are not looked up. */
export function distance(field: string, numbers: readonly string[]): Condition {
  const [latitude, longitude, metres] = numbers.map(Number);
  if (numbers.length !== 3 || ![latitude, longitude, metres].every(Number.isFinite))
    throw new SearchError("GEO_DISTANCE takes a field, a latitude, a longitude and a distance in metres.");
  const from = { latitude: latitude ?? 0, longitude: longitude ?? 0 };
  return (data) =>
    valuesAt(data, field).some((value) => {
      const to = placeOf(value);
      return to !== undefined && metresBetween(from, to) <= (metres ?? 0);
    });
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function placeOf(value: JsonValue): Place | undefined {
  if (isJsonObject(value)) {
    const latitude = numberOf(value.latitude);
    const longitude = numberOf(value.longitude);
    return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  }
  const match = typeof value === "string" ? /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(value) : null;
  return match ? { latitude: Number(match[1]), longitude: Number(match[2]) } : undefined;
}

/** Along a great circle. */
function metresBetween(from: Place, to: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (first: number, second: number) => Math.sin(radians(second - first) / 2) ** 2;
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
