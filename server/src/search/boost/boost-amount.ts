import type { JsonObject } from "#base";
import { instantOf, numberOf, valuesAt } from "../filter/document-values.ts";
import { parseDocumentFilter } from "../filter/parse-filter.ts";
import type { BoostCurve, BoostRule } from "./boost-rule.ts";

/** How much a document of a store is moved, from -1 to 1; 0 = not at all. */
export type Boost = (data: JsonObject) => number;

/**
 * The sum of what all rules for a store say of a document, held to [-1, 1]. `now` is in milliseconds. A document without the
 * field of a curve is not moved by it. Throws `SearchError` for a condition that cannot be read.
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
 * A relevance as a boost leaves it: four times as much at 1, a quarter at -1. So a strong boost lifts a document over better
 * ones without putting every boosted one first, as the definition asks.
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
