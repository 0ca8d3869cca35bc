import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Schemas inside one another that model providers take; some stop at ten (mcp 8.3). */
const MAX_DEPTH = 9;
/** A definition that leads back to itself is put in this often on one way down. */
const MAX_RECURSION = 1;
/** Schemas that a whole declaration may have; references in references would otherwise multiply without end. */
const MAX_SCHEMAS = 1_000;

/**
 * A JSON Schema for parameters as every model provider takes it (mcp 8.3, 8.4): an object at the root, no `$ref`, no `$defs`, no
 * combinator at the root. References are put in where they stand; one that leads back to itself ends in an object of any shape.
 */
export function portableSchema(schema: JsonObject): JsonObject {
  const definitions = isJsonObject(schema.$defs) ? schema.$defs : {};
  const inlined = inline(schema, { definitions, budget: { left: MAX_SCHEMAS } }, [], 0);
  return objectAtRoot(inlined);
}

interface Inlining {
  readonly definitions: JsonObject;
  readonly budget: { left: number };
}

function inline(schema: JsonValue, inlining: Inlining, path: readonly string[], depth: number): JsonObject {
  inlining.budget.left -= 1;
  if (!isJsonObject(schema)) return {};
  const { $ref: reference, $defs: _definitions, ...rest } = schema;
  if (typeof reference === "string") return inlineReference(reference, rest, inlining, path, depth);
  if (depth >= MAX_DEPTH || inlining.budget.left < 0) return cutShort(rest);
  const inner = (value: JsonValue) => inline(value, inlining, path, depth + 1);
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inlineEntry(key, value, inner)]));
}

function inlineReference(
  reference: string,
  beside: JsonObject,
  inlining: Inlining,
  path: readonly string[],
  depth: number,
): JsonObject {
  const name = reference.replace(/^#\/\$defs\//, "");
  const target = Object.hasOwn(inlining.definitions, name) ? inlining.definitions[name] : undefined;
  const seen = path.filter((each) => each === name).length;
  const over = seen > MAX_RECURSION || inlining.budget.left < 0;
  if (!isJsonObject(target) || over) return { type: "object", ...describedBy(beside, name) };
  return { ...inline(target, inlining, [...path, name], depth), ...beside };
}

function describedBy({ description }: JsonObject, name: string): JsonObject {
  return { description: typeof description === "string" ? description : `${name}, as above` };
}

/** The words of a schema that lies too deep, without what is in it. */
function cutShort({ type, title, description, enum: values, nullable }: JsonObject): JsonObject {
  const words = Object.entries({ title, description, enum: values, nullable }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...(type === undefined || type === "array" ? { type: "object" } : { type }), ...Object.fromEntries(words) };
}

function inlineEntry(key: string, value: JsonValue, inner: (value: JsonValue) => JsonObject): JsonValue {
  switch (key) {
    case "properties":
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]))
        : {};
    case "items":
      return inner(value);
    case "additionalProperties":
      return isJsonObject(value) ? inner(value) : value;
    case "anyOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(inner) : [];
    default:
      return value;
  }
}

/** A choice between objects at the root becomes one object with the properties of all, of which none is required by itself. */
function objectAtRoot({ anyOf, ...root }: JsonObject): JsonObject {
  const members = Array.isArray(anyOf) ? anyOf.filter(isJsonObject) : [];
  const properties = Object.assign(
    {},
    ...members.map((member) => objectOf(member.properties)),
    objectOf(root.properties),
  );
  const required = Array.isArray(root.required) ? root.required : [];
  const shared = members.length === 0 ? [] : namesRequiredByAll(members);
  const all = [...new Set([...required, ...shared])];
  const { required: _required, ...rest } = root;
  return { ...rest, type: "object", properties, ...(all.length > 0 && { required: all }) };
}

function namesRequiredByAll(members: readonly JsonObject[]): JsonValue[] {
  const [first, ...others] = members.map(({ required }) => (Array.isArray(required) ? required : []));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
