import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { References } from "./references.ts";

/** Use of a schema: `readOnly` properties are left out of requests, `writeOnly` properties out of responses. */
export type SchemaSide = "request" | "response";

/** Schemas that may still be inlined for an operation: references can expand a small document without end. */
export interface InlineBudget {
  left: number;
}

/** Limit of inlined schemas of one operation; schemas beyond it become empty. */
export const MAX_SCHEMAS = 1_000;
/** Longest enum that is declared to models. */
const MAX_VALUES = 500;
/** Limit of nesting: with the levels of the function itself the ten that the strictest provider accepts. */
const MAX_DEPTH = 8;

/**
 * Converts a schema of OpenAPI 3.0 or 3.1 to JSON Schema without references. A recursive reference becomes an empty schema, because
 * not all model providers accept recursion. Keywords that providers do not support are added to the description.
 */
export function inlineSchema(
  schema: JsonValue | undefined,
  references: References,
  side: SchemaSide,
  budget: InlineBudget = { left: MAX_SCHEMAS },
): JsonObject {
  return inline(schema, { references, side, budget }, []);
}

interface Inlining {
  readonly references: References;
  readonly side: SchemaSide;
  readonly budget: InlineBudget;
}

function inline(value: JsonValue | undefined, context: Inlining, above: readonly string[]): JsonObject {
  const reference = isJsonObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
  const source = context.references.object(value);
  context.budget.left -= 1;
  if (!source || context.budget.left < 0 || above.length > MAX_DEPTH) return {};
  if (reference !== undefined && above.includes(reference)) return withoutNested(source);
  const path = [...above, reference ?? ""];
  const result = { ...copyKeywords(source), ...describeKeywords(source) };
  addFields(source, result, context, path);
  addMembers(source, result, context, path);
  return mergeAllOf(result);
}

/** A schema without its nested schemas. */
function withoutNested({ type, description, properties, allOf }: JsonObject): JsonObject {
  const known = type ?? (properties === undefined && allOf === undefined ? undefined : "object");
  return { ...definedFields({ type: known }), ...(typeof description === "string" && { description }) };
}

const COPIED_KEYWORDS = [
  ...["type", "title", "description", "enum", "const", "default", "nullable", "required", "minimum", "maximum"],
  ...["minItems", "maxItems", "uniqueItems", "x-ces-session-context"],
];

function copyKeywords(source: JsonObject): JsonObject {
  const copied: JsonObject = {};
  for (const key of COPIED_KEYWORDS) {
    const value = source[key];
    if (value !== undefined && !(Array.isArray(value) && value.length > MAX_VALUES)) copied[key] = value;
  }
  return copied;
}

/** Adds format, pattern and example to the description. */
function describeKeywords({ description, format, pattern, example }: JsonObject): JsonObject {
  const words = [
    typeof format === "string" && `format: ${format}`,
    typeof pattern === "string" && `pattern: ${pattern}`,
    (typeof example === "string" || typeof example === "number") && `e.g. ${example}`,
  ].filter((word) => word !== false);
  if (words.length === 0) return {};
  const text = typeof description === "string" && description !== "" ? `${description} ` : "";
  return { description: `${text}(${words.join("; ")})` };
}

function addFields(source: JsonObject, result: JsonObject, context: Inlining, path: readonly string[]): void {
  const hidden = context.side === "request" ? "readOnly" : "writeOnly";
  if (isJsonObject(source.properties)) {
    const open = Object.entries(source.properties).slice(0, Math.max(0, context.budget.left));
    const fields = open.filter(([, field]) => context.references.object(field)?.[hidden] !== true);
    result.properties = Object.fromEntries(fields.map(([name, field]) => [name, inline(field, context, path)]));
    result.type ??= "object";
    if (Array.isArray(source.required) && fields.length < Object.keys(source.properties).length)
      result.required = source.required.filter((name) => fields.some(([field]) => field === name));
  }
  const { items, prefixItems, additionalProperties: additional } = source;
  if (items !== undefined) result.items = inline(items, context, path);
  if (Array.isArray(prefixItems))
    result.prefixItems = prefixItems.slice(0, MAX_VALUES).map((item) => inline(item, context, path));
  if (isJsonObject(additional)) result.additionalProperties = inline(additional, context, path);
  else if (additional === true) result.additionalProperties = true;
}

function addMembers(source: JsonObject, result: JsonObject, context: Inlining, path: readonly string[]): void {
  for (const key of ["oneOf", "anyOf", "allOf"] as const) {
    const members = source[key];
    if (!Array.isArray(members)) continue;
    const inlined = members.slice(0, Math.max(0, context.budget.left)).map((member) => inline(member, context, path));
    if (key === "allOf") result.allOf = inlined;
    else result.anyOf = [...(Array.isArray(result.anyOf) ? result.anyOf : []), ...inlined];
  }
}

/** Merges `allOf` into one schema: later keywords win; properties and required names are united. */
function mergeAllOf({ allOf, ...own }: JsonObject): JsonObject {
  if (!Array.isArray(allOf)) return own;
  const parts = [...allOf.filter(isJsonObject), own];
  const properties = Object.assign({}, ...parts.map((part) => (isJsonObject(part.properties) ? part.properties : {})));
  const required = [...new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])))];
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}
