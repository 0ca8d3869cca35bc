import { isJsonObject, type JsonObject, type JsonValue } from "#base";

const THRESHOLDS = "evaluationMetricsThresholds";
const GOLDEN = "goldenEvaluationMetricsThresholds";
const TURN = "turnLevelMetricsThresholds";
const EXPECTATION = "expectationLevelMetricsThresholds";

/**
 * Moves `expectationLevelMetricsThresholds` out of the turn-level block, where exports of October 2025 nest it
 * (PKG-16), to where the message has it. Any other manifest comes back as it is.
 */
export function liftOldThresholds(json: JsonObject): JsonObject {
  const thresholds = objectAt(json, THRESHOLDS);
  const golden = thresholds && objectAt(thresholds, GOLDEN);
  const turn = golden && objectAt(golden, TURN);
  if (!turn || !(EXPECTATION in turn) || EXPECTATION in golden) return json;
  const { [EXPECTATION]: lifted, ...rest } = turn;
  const mended = { ...golden, [TURN]: rest, [EXPECTATION]: lifted as JsonValue };
  return { ...json, [THRESHOLDS]: { ...thresholds, [GOLDEN]: mended } };
}

function objectAt(json: JsonObject, key: string): JsonObject | undefined {
  const value = json[key];
  return isJsonObject(value) ? value : undefined;
}
