import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { References } from "./references.ts";

/** Use of a schema: `readOnly` properties are left out of requests, `writeOnly` properties out of responses. */
export type SchemaSide = "request" | "response";

/** Limit of inlined schemas of one body, one response, or all parameters of an operation: references expand a small document without end. */
export const MAX_SCHEMAS = 1_000;
/** Longest enum that is declared to models. */
const MAX_VALUES = 500;
/** Limit of nesting: with the levels of the function itself the ten that the strictest provider accepts. */
const MAX_DEPTH = 8;

/** An inlined schema, and how many schemas it took to make it. */
interface InlinedSchema {
  readonly schema: JsonObject;
  readonly size: number;
}

/**
 * Converts a schema of OpenAPI 3.0 or 3.1 to JSON Schema without references. A recursive reference becomes a schema without nested ones, because
 * not all model providers accept recursion. Keywords that providers do not support are added to the description. A schema of more than
 * `limit` schemas is inlined to as many levels as fit, so that it is cut at its leaves and not in the middle: at least one level, of which all
 * required properties are kept.
 */
export function inlineSchema(
  schema: JsonValue | undefined,
  references: References,
  side: SchemaSide,
  limit: number = MAX_SCHEMAS,
): InlinedSchema {
  let size = 0;
  for (let depth = MAX_DEPTH; depth > 1; depth--) {
    const context = { references, side, depth, budget: { left: limit } };
    const inlined = inline(schema, context, [], 0);
    size += limit - context.budget.left;
    if (context.budget.left >= 0) return { schema: inlined, size };
  }
  const budget = { left: MAX_SCHEMAS };
  const inlined = inline(schema, { references, side, depth: 1, budget }, [], 0);
  return { schema: inlined, size: size + MAX_SCHEMAS - budget.left };
}

interface Inlining {
  readonly references: References;
  readonly side: SchemaSide;
  /** Levels of nested schemas. */
  readonly depth: number;
  /** Schemas that may still be inlined. Negative: there were more. */
  readonly budget: { left: number };
}

/** `above`: the references on the path to the schema. `level`: how deep it is nested, for which `allOf` and references do not count. */
function inline(value: JsonValue | undefined, context: Inlining, above: readonly string[], level: number): JsonObject {
  const reference = isJsonObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
  const source = context.references.object(value);
  context.budget.left -= 1;
  if (!source || context.budget.left < 0) return {};
  if (reference !== undefined && above.includes(reference)) return likeTheOuter(source, reference);
  if (level > context.depth) return withoutNested(source);
  const path = reference === undefined ? above : [...above, reference];
  const result = { ...copyKeywords(source), ...describeKeywords(source) };
  addFields(source, result, context, path, level);
  addMembers(source, result, context, path, level);
  return mergeAllOf(result);
}

/** A schema without its nested schemas. */
function withoutNested({ type, description, properties, allOf }: JsonObject): JsonObject {
  const known = type ?? (properties === undefined && allOf === undefined ? undefined : "object");
  return { ...definedFields({ type: known }), ...(typeof description === "string" && { description }) };
}

/** A schema within itself, for which models are told what it has inside: a tree could not be written otherwise (TOOL-63). */
function likeTheOuter(source: JsonObject, reference: string): JsonObject {
  const schema = withoutNested(source);
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const { description = "" } = schema;
  return { ...schema, description: `${description} (${name}: the same fields as the ${name} around it)`.trim() };
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
  // Swagger 2.0 has no keyword for it, and many documents this extension.
  if (source["x-nullable"] === true) copied.nullable = true;
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

function addFields(
  source: JsonObject,
  result: JsonObject,
  context: Inlining,
  path: readonly string[],
  level: number,
): void {
  const inner = (schema: JsonValue | undefined) => inline(schema, context, path, level + 1);
  const { items, prefixItems, additionalProperties: additional } = source;
  if (isJsonObject(additional)) result.additionalProperties = inner(additional);
  else if (additional === true) result.additionalProperties = true;
  if (isJsonObject(source.properties)) addProperties(source.properties, source, result, context, inner);
  if (items !== undefined) result.items = inner(items);
  if (Array.isArray(prefixItems)) result.prefixItems = prefixItems.slice(0, MAX_VALUES).map(inner);
}

/** Where there are more than fit, the required ones come first, and the object says that it may have others. */
function addProperties(
  properties: JsonObject,
  { required }: JsonObject,
  result: JsonObject,
  { references, side, budget }: Inlining,
  inner: (schema: JsonValue | undefined) => JsonObject,
): void {
  const hidden = side === "request" ? "readOnly" : "writeOnly";
  const all = Object.entries(properties);
  const names = new Set(Array.isArray(required) ? required : []);
  const isCut = all.length > budget.left;
  const some = isCut ? all.toSorted(([one], [other]) => Number(names.has(other)) - Number(names.has(one))) : all;
  const fields = some
    .slice(0, Math.max(0, budget.left))
    .filter(([, field]) => references.object(field)?.[hidden] !== true);
  result.properties = Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
  result.type ??= "object";
  if (isCut) result.additionalProperties ??= true;
  if (names.size > 0 && fields.length < all.length)
    result.required = [...names].filter((name) => fields.some(([field]) => field === name));
}

function addMembers(
  source: JsonObject,
  result: JsonObject,
  context: Inlining,
  path: readonly string[],
  level: number,
): void {
  for (const key of ["oneOf", "anyOf", "allOf"] as const) {
    const members = source[key];
    if (!Array.isArray(members)) continue;
    const inlined = members
      .slice(0, Math.max(0, context.budget.left))
      .map((member) => inline(member, context, path, key === "allOf" ? level : level + 1));
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
