import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { References } from "./references.ts";

/** Which side reads a schema: what is `readOnly` is no part of a request, what is `writeOnly` none of an answer. */
export type SchemaSide = "request" | "response";

/** Counts what has been inlined for one operation: a document of a few lines may unfold without end. */
export interface InlineBudget {
  left: number;
}

/** Schemas inlined for one operation; what goes beyond may be anything. */
export const MOST_SCHEMAS = 1_000;
/** Values of an enum that a model is told. */
const MOST_VALUES = 500;
/** Schemas inside one another: with the function around them what the strictest provider takes, ten levels. */
const DEEPEST = 8;

/**
 * A schema of OpenAPI 3.0 or 3.1 without references, as plain JSON Schema. A schema within itself says nothing the second
 * time: models take no recursion everywhere. What neither the platform nor models have a word for stands in the description.
 */
export function inlineSchema(
  schema: JsonValue | undefined,
  references: References,
  side: SchemaSide,
  budget: InlineBudget = { left: MOST_SCHEMAS },
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
  if (!source || context.budget.left < 0 || above.length > DEEPEST) return {};
  if (reference !== undefined && above.includes(reference)) return shell(source);
  const path = [...above, reference ?? ""];
  const result = { ...keep(source), ...withWords(source) };
  addFields(source, result, context, path);
  addMembers(source, result, context, path);
  return withoutAllOf(result);
}

/** What of a schema is known without looking inside. */
function shell({ type, description, properties, allOf }: JsonObject): JsonObject {
  const known = type ?? (properties === undefined && allOf === undefined ? undefined : "object");
  return { ...(known !== undefined && { type: known }), ...(typeof description === "string" && { description }) };
}

const KEPT = [
  ...["type", "title", "description", "enum", "const", "default", "nullable", "required", "minimum", "maximum"],
  ...["minItems", "maxItems", "uniqueItems", "x-ces-session-context"],
];

function keep(source: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const key of KEPT) {
    const value = source[key];
    if (value !== undefined && !(Array.isArray(value) && value.length > MOST_VALUES)) kept[key] = value;
  }
  return kept;
}

/** Formats and patterns tell a model what to write, so they are told in words. */
function withWords({ description, format, pattern, example }: JsonObject): JsonObject {
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
    result.prefixItems = prefixItems.slice(0, MOST_VALUES).map((item) => inline(item, context, path));
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

/** All of several schemas as one: the later says what a thing is, fields and required names add up. */
function withoutAllOf({ allOf, ...own }: JsonObject): JsonObject {
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
