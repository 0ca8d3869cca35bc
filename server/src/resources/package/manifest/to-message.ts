import { type DescMessage, fromJson, type MessageShape, type JsonObject as ProtobufJson } from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { Findings } from "../findings.ts";
import { checkJson } from "./check-json.ts";
import type { JsonProblems } from "./check-scalar.ts";

/** The message of a manifest, or why there is none (each reason with file and field). */
type ConvertedManifest<Schema extends DescMessage> =
  | { readonly kind: "made"; readonly message: MessageShape<Schema> }
  | { readonly kind: "failed"; readonly reasons: readonly string[] };

/** Converts a manifest to its message. Each difference is a warning with file and field. */
export function toMessage<Schema extends DescMessage>(
  schema: Schema,
  json: JsonObject,
  path: string,
  findings: Findings,
): ConvertedManifest<Schema> {
  const problems: JsonProblems = { remarks: [], wrong: [] };
  const checked = checkJson(schema, moveOldThresholds(json), problems);
  for (const { path: field, reason } of problems.remarks) findings.warnings.push(`${path}: ${field}: ${reason}.`);
  if (problems.wrong.length > 0) {
    return { kind: "failed", reasons: problems.wrong.map(({ path: field, reason }) => `${path}: ${field}: ${reason}`) };
  }
  return read(schema, checked, path);
}

function read<Schema extends DescMessage>(schema: Schema, json: JsonObject, path: string): ConvertedManifest<Schema> {
  try {
    return { kind: "made", message: fromJson(schema, json as ProtobufJson) };
  } catch (error) {
    // For example two members of one oneof: each is valid by itself.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "failed", reasons: [`${path}: ${reason}`] };
  }
}

const THRESHOLDS = "evaluationMetricsThresholds";
const GOLDEN = "goldenEvaluationMetricsThresholds";
const TURN = "turnLevelMetricsThresholds";
const EXPECTATION = "expectationLevelMetricsThresholds";

/**
 * Moves `expectationLevelMetricsThresholds` out of the turn-level block, where exports of October 2025 nest it
 * (PKG-16), to where the message has it. Any other manifest is returned as it is.
 */
function moveOldThresholds(json: JsonObject): JsonObject {
  const thresholds = objectAt(json, THRESHOLDS);
  const golden = thresholds && objectAt(thresholds, GOLDEN);
  const turn = golden && objectAt(golden, TURN);
  if (!turn || !(EXPECTATION in turn) || EXPECTATION in golden) return json;
  const { [EXPECTATION]: thresholdsOfTurn, ...rest } = turn;
  const moved = { ...golden, [TURN]: rest, [EXPECTATION]: thresholdsOfTurn as JsonValue };
  return { ...json, [THRESHOLDS]: { ...thresholds, [GOLDEN]: moved } };
}

function objectAt(json: JsonObject, key: string): JsonObject | undefined {
  const value = json[key];
  return isJsonObject(value) ? value : undefined;
}
