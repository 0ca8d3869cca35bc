import type { JsonObject } from "#base";
import type { BoostCurve, BoostRule } from "./contract.ts";
import { instantOf, numberOf, valuesAt } from "./filter/conditions.ts";
import { parseDocumentFilter } from "./filter/parse-filter.ts";

/** The boost of a document, from -1 to 1; 0 = none. */
export type Boost = (data: JsonObject) => number;

/**
 * The sum of the boosts of all rules of a store, limited to [-1, 1]. `now` is in milliseconds. A curve does not apply to a document without
 * its field. Throws `SearchError` for an invalid condition.
 */
export function createBoost(rules: readonly BoostRule[], store: string, now: number): Boost {
  const parts = rules
    .filter(({ stores }) => stores.includes(store))
    .map(({ condition, amount }) => ({ applies: parseDocumentFilter(condition), amount }));
  return (data) => {
    const amounts = parts
      .filter(({ applies }) => applies(data))
      .map(({ amount }) => (typeof amount === "number" ? amount : curveAmount(amount, data, now)));
    return Math.max(
      -1,
      Math.min(
        1,
        amounts.reduce((sum, amount) => sum + amount, 0),
      ),
    );
  };
}

/**
 * Applies a boost to a relevance: times four at 1, a quarter at -1. A strong boost moves a document above better ones without moving every
 * boosted one to the top, as the definition asks.
 */
export function boosted(relevance: number, amount: number): number {
  return relevance * 4 ** amount;
}

function curveAmount(curve: BoostCurve, data: JsonObject, now: number): number {
  const [value] = valuesAt(data, curve.field);
  const at = curve.kind === "numerical" ? numberOf(value) : ageOf(value, now);
  return at === undefined ? 0 : interpolate(curve.points, at);
}

function ageOf(value: Parameters<typeof instantOf>[0], now: number): number | undefined {
  const instant = instantOf(value);
  return instant === undefined ? undefined : now - instant;
}

function interpolate(points: BoostCurve["points"], at: number): number {
  const after = points.findIndex((point) => at < point.at);
  if (after === 0) return points[0]?.amount ?? 0;
  const left = points[after === -1 ? points.length - 1 : after - 1];
  const right = after === -1 ? undefined : points[after];
  if (!left) return 0;
  if (!right) return left.amount;
  return left.amount + ((right.amount - left.amount) * (at - left.at)) / (right.at - left.at);
}

const PATTERN = /^P?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Milliseconds of an XSD `dayTimeDuration` as in control points of freshness, `[nD][T[nH][nM][nS]]`, with or without the leading `P` of
 * ISO 8601: `5D`, `3DT12H30M`, `T24H`. Undefined for anything else (data_store_tool.proto, ControlPoint).
 */
export function parseDayTimeDuration(text: string): number | undefined {
  const match = PATTERN.exec(text.trim());
  const parts = match?.slice(1) ?? [];
  if (parts.every((part) => part === undefined)) return undefined;
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (days ?? 0) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE + (seconds ?? 0) * SECOND;
}
