import {
  type DescMessage,
  fromJson,
  isMessage,
  type Message,
  type MessageShape,
  type JsonObject as ProtobufJson,
} from "@bufbuild/protobuf";
import { setUnknownFields, type UnknownField } from "#aip";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, thrownMessage } from "#base";
import type { FieldViolation } from "#status";
import type { Findings } from "../findings.ts";
import { isWellKnown, setFields } from "../message-fields.ts";
import { checkJson } from "./check-json.ts";
import type { JsonProblems } from "./check-scalar.ts";
import type { SourceOf } from "./source-document.ts";

/** The message of a manifest, or why there is none: file and field, and what is wrong, without a full stop. */
type ConvertedManifest<Schema extends DescMessage> =
  | { readonly kind: "made"; readonly message: MessageShape<Schema> }
  | { readonly kind: "failed"; readonly reasons: readonly FieldViolation[] };

/**
 * Converts a manifest to its message. Each difference is a warning with file and field. With `sourceOf` the message keeps the
 * manifest's unknown fields, at any depth (PKG-30).
 */
export function toMessage<Schema extends DescMessage>(
  schema: Schema,
  json: JsonObject,
  path: string,
  findings: Findings,
  sourceOf?: SourceOf,
): ConvertedManifest<Schema> {
  const unknown = sourceOf && { sourceOf, found: new Map<JsonObject, readonly UnknownField[]>() };
  const problems: JsonProblems = { remarks: [], wrong: [], ...definedFields({ unknown }) };
  const checked = checkJson(schema, moveOldThresholds(json), problems);
  for (const { path: field, reason } of problems.remarks) findings.warnings.push(`${path}: ${field}: ${reason}.`);
  if (problems.wrong.length > 0) {
    const reasons = problems.wrong.map(({ path: field, reason }) => ({
      field: `${path}: ${field}`,
      description: reason,
    }));
    return { kind: "failed", reasons };
  }
  const made = read(schema, checked, path);
  if (made.kind === "made" && unknown) attach(schema, made.message, checked, unknown.found);
  return made;
}

/** Gives each message the unknown fields of the object that it was made of. */
function attach(
  schema: DescMessage,
  message: Message,
  json: JsonObject,
  found: ReadonlyMap<JsonObject, readonly UnknownField[]>,
): void {
  const own = found.get(json);
  if (own) setUnknownFields(message, own);
  for (const { field, value } of setFields(schema, message)) {
    const type = field.message;
    const member = json[field.jsonName];
    if (!type || isWellKnown(type) || member === undefined) continue;
    for (const [below, object] of pairs(value, member)) attach(type, below, object, found);
  }
}

/** The messages of a field with their objects: a single one, a list's elements, or a map's values. */
function pairs(value: unknown, json: JsonValue): readonly (readonly [Message, JsonObject])[] {
  if (Array.isArray(value) && Array.isArray(json))
    return value.map((item: Message, index) => [item, json[index] as JsonObject] as const);
  if (!isJsonObject(json)) return [];
  if (isMessage(value)) return [[value, json]];
  return Object.entries(value as Record<string, Message>).map(
    ([key, item]) => [item, json[key] as JsonObject] as const,
  );
}

function read<Schema extends DescMessage>(schema: Schema, json: JsonObject, path: string): ConvertedManifest<Schema> {
  try {
    return { kind: "made", message: fromJson(schema, json as ProtobufJson) };
  } catch (error) {
    // For example two members of one oneof: each is valid by itself.
    const reason = thrownMessage(error);
    return { kind: "failed", reasons: [{ field: path, description: reason }] };
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
