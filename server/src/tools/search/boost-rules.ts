import {
  DataStoreTool_BoostSpec_ConditionBoostSpec_BoostControlSpec_AttributeType as AttributeType,
  type DataStoreTool_BoostSpec_ConditionBoostSpec as ConditionBoostSpec,
  type DataStoreTool_BoostSpec_ConditionBoostSpec_BoostControlSpec as ControlSpec,
  type DataStoreTool,
} from "@frontdesk/protos/ces/data_store_tool";
import { type BoostCurve, type BoostRule, parseDayTimeDuration } from "#search";

/** The boost rules of a tool, and validation errors of its specs. */
interface BoostRules {
  readonly rules: readonly BoostRule[];
  /** One sentence each without a full stop, which names the field. */
  readonly problems: readonly string[];
}

/** Reads the boost specs of a data store tool (data_store_tool.proto, BoostSpecs). A control spec wins over a fixed boost. */
export function boostRules({ boostSpecs }: Pick<DataStoreTool, "boostSpecs">): BoostRules {
  const rules: BoostRule[] = [];
  const problems: string[] = [];
  for (const [i, { dataStores, spec }] of boostSpecs.entries())
    for (const [j, { conditionBoostSpecs }] of spec.entries())
      for (const [k, condition] of conditionBoostSpecs.entries()) {
        const path = `boost_specs[${i}].spec[${j}].condition_boost_specs[${k}]`;
        const amount = amountOf(condition, path, problems);
        if (amount !== undefined) rules.push({ stores: dataStores, condition: condition.condition, amount });
      }
  return { rules, problems };
}

function amountOf(
  { boost, boostControlSpec }: ConditionBoostSpec,
  path: string,
  problems: string[],
): BoostRule["amount"] | undefined {
  if (boostControlSpec) return curveOf(boostControlSpec, `${path}.boost_control_spec`, problems);
  if (boost >= -1 && boost <= 1) return boost;
  problems.push(`${path}.boost is ${boost}; it must be between -1 and 1`);
  return undefined;
}

function curveOf(spec: ControlSpec, path: string, problems: string[]): BoostCurve | undefined {
  const before = problems.length;
  const kind = spec.attributeType === AttributeType.FRESHNESS ? "freshness" : "numerical";
  if (spec.attributeType === AttributeType.ATTRIBUTE_TYPE_UNSPECIFIED)
    problems.push(`${path}.attribute_type is not set; use NUMERICAL or FRESHNESS`);
  if (spec.fieldName === "") problems.push(`${path}.field_name is not set`);
  if (spec.controlPoints.length === 0) problems.push(`${path}.control_points is empty`);
  const points = spec.controlPoints.map(({ attributeValue, boostAmount }, at) => {
    const value = kind === "freshness" ? parseDayTimeDuration(attributeValue) : numberOf(attributeValue);
    const form = kind === "freshness" ? "a duration such as 5D or 3DT12H30M" : "a number";
    const where = `${path}.control_points[${at}]`;
    if (value === undefined) problems.push(`${where}.attribute_value is '${attributeValue}'; write ${form}`);
    if (!(boostAmount >= -1 && boostAmount <= 1))
      problems.push(`${where}.boost_amount is ${boostAmount}; it must be between -1 and 1`);
    return { at: value ?? 0, amount: boostAmount };
  });
  points.sort((first, second) => first.at - second.at);
  if (!isMonotonic(points.map(({ amount }) => amount)))
    problems.push(`${path}.control_points rise and fall; a curve must be monotonic`);
  return problems.length > before ? undefined : { kind, field: spec.fieldName, points };
}

function numberOf(text: string): number | undefined {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function isMonotonic(amounts: readonly number[]): boolean {
  const steps = amounts.slice(1).map((amount, at) => amount - (amounts[at] ?? 0));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}
