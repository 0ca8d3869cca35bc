import type { JsonObject } from "#base";
import type { BoostCurve, BoostRule } from "../boost/boost-rule.ts";

/** The rules for a data store as `SearchRequest.BoostSpec`; undefined when there are none. An engine takes those of its stores by store. */
export function vertexBoostSpec(rules: readonly BoostRule[], store: string): JsonObject | undefined {
  const own = rules.filter(({ stores }) => stores.includes(store));
  if (own.length === 0) return undefined;
  return {
    conditionBoostSpecs: own.map(({ condition, amount }) => ({
      ...(condition !== "" && { condition }),
      ...(typeof amount === "number" ? { boost: amount } : { boostControlSpec: controlSpec(amount) }),
    })),
  };
}

function controlSpec({ kind, field, points }: BoostCurve): JsonObject {
  return {
    fieldName: field,
    attributeType: kind === "numerical" ? "NUMERICAL" : "FRESHNESS",
    interpolationType: "LINEAR",
    controlPoints: points.map(({ at, amount }) => ({
      attributeValue: kind === "numerical" ? String(at) : `T${at / 1000}S`,
      boostAmount: amount,
    })),
  };
}
