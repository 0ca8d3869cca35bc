import type { Schema } from "@frontdesk/protos/ces/schema";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { fromJsonSchema } from "../schema/json-schema.ts";

/** Limit of one tool's schema, bytes of JSON. */
const MAX_BYTES = 256 * 1024;
/** Limit of nested schemas. */
const MAX_DEPTH = 32;
/** Limit of schemas in one schema. */
const MAX_SCHEMAS = 2_000;

/** Keywords without a field in `schema.proto` that a model can follow when the description names them. */
const DESCRIBED = ["format", "pattern", "minLength", "maxLength", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
/** Keywords with schemas that are added to the description as JSON. */
const DESCRIBED_CONDITIONS = ["not", "if", "then", "else", "dependentRequired"];
/** Longest condition in a description, characters. */
const MAX_CONDITION = 300;

/** A server's schema as `schema.proto`, or why it cannot be used. */
type ImportedSchema =
  | { readonly kind: "schema"; readonly schema: Schema }
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * Converts the JSON Schema (2020-12 and older) of a server's tool (TSET-9). References within the schema stay
 * references; remote ones are never fetched and become an object of any shape. Keywords without a field in the proto (formats,
 * patterns, conditions) are added to the description. Limited in size, depth and number of schemas.
 */
export function importSchema(json: JsonObject): ImportedSchema {
  const bytes = Buffer.byteLength(JSON.stringify(json));
  if (bytes > MAX_BYTES) return rejected(`its schema has ${bytes} bytes; at most ${MAX_BYTES} are read`);
  try {
    return {
      kind: "schema",
      schema: fromJsonSchema(prepare(json, { root: json, budget: { left: MAX_SCHEMAS }, followed: [] }, 0)),
    };
  } catch (error) {
    if (error instanceof SchemaLimit) return rejected(error.message);
    throw error;
  }
}

class SchemaLimit extends Error {
  override readonly name = "SchemaLimit";
}

function rejected(reason: string): ImportedSchema {
  return { kind: "rejected", reason };
}

interface Preparing {
  readonly root: JsonObject;
  readonly budget: { left: number };
  /** References on the path to this schema; one that occurs again is recursive. */
  readonly followed: readonly string[];
}

/** The schema with local pointers inlined, remote references replaced, and unsupported keywords described. */
function prepare(value: JsonValue, preparing: Preparing, depth: number): JsonObject {
  const { budget } = preparing;
  if (depth > MAX_DEPTH) throw new SchemaLimit(`its schema is nested deeper than ${MAX_DEPTH}`);
  budget.left -= 1;
  if (budget.left < 0) throw new SchemaLimit(`its schema is made of more than ${MAX_SCHEMAS} schemas`);
  if (!isJsonObject(value)) return {};
  const { source, followed } = resolved(value, preparing);
  const inner = (schema: JsonValue) => prepare(schema, { ...preparing, followed }, depth + 1);
  const result: JsonObject = {};
  for (const [key, entry] of Object.entries(source)) {
    if (DESCRIBED.includes(key) || DESCRIBED_CONDITIONS.includes(key)) continue;
    result[key] = prepareEntry(key, entry, inner);
  }
  const description = [source.description, ...describeKeywords(source)].filter(
    (part) => typeof part === "string" && part !== "",
  );
  if (description.length > 0) result.description = description.join(" ");
  return result;
}

function prepareEntry(key: string, entry: JsonValue, inner: (schema: JsonValue) => JsonObject): JsonValue {
  switch (key) {
    case "properties":
    case "$defs":
    case "definitions":
      return isJsonObject(entry)
        ? Object.fromEntries(Object.entries(entry).map(([name, schema]) => [name, inner(schema)]))
        : {};
    case "items":
    case "allOf":
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      if (Array.isArray(entry)) return entry.map(inner);
      return isJsonObject(entry) ? inner(entry) : {};
    case "additionalProperties":
      return isJsonObject(entry) ? inner(entry) : entry;
    default:
      return entry;
  }
}

/** Keeps references to definitions, inlines other local ones, and replaces all others by an object of any shape. */
function resolved(
  schema: JsonObject,
  { root, followed }: Preparing,
): { readonly source: JsonObject; readonly followed: readonly string[] } {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== "string" || /^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference))
    return { source: schema, followed };
  const inside = reference.startsWith("#/") && !followed.includes(reference);
  const target = inside ? pointedAt(reference, root) : undefined;
  if (target && typeof target.$ref !== "string")
    return { source: { ...target, ...rest }, followed: [...followed, reference] };
  const words = typeof rest.description === "string" ? rest.description : "";
  const open = { type: "object", additionalProperties: true, description: `${words} (any object)`.trim() };
  return { source: { ...rest, ...open }, followed };
}

function pointedAt(reference: string, root: JsonObject): JsonObject | undefined {
  let place: JsonValue = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decodeStep(step);
    const next: JsonValue | undefined = Array.isArray(place) ? place[Number(key)] : childOf(place, key);
    if (next === undefined) return undefined;
    place = next;
  }
  return isJsonObject(place) ? place : undefined;
}

function childOf(place: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
}

function decodeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function describeKeywords(schema: JsonObject): string[] {
  const plain = DESCRIBED.filter((key) => schema[key] !== undefined).map((key) => `${key}: ${textOf(schema[key])}`);
  const conditions = DESCRIBED_CONDITIONS.filter((key) => schema[key] !== undefined).map(
    (key) => `${key}: ${textOf(schema[key]).slice(0, MAX_CONDITION)}`,
  );
  return plain.length + conditions.length === 0 ? [] : [`(${[...plain, ...conditions].join("; ")})`];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
