import { isJsonObject, type JsonObject, type JsonValue, objectOrEmpty, objectsIn } from "#base";

/** Deepest nesting that model providers accept; some stop at ten levels (TOOL-7). */
const MAX_DEPTH = 9;
/** How often a recursive definition is inlined on one path. */
const MAX_RECURSION = 1;
/** Limit of schemas in one declaration; nested references could otherwise multiply without end. */
const MAX_SCHEMAS = 1_000;

/**
 * A JSON Schema for parameters that every model provider accepts (TOOL-7): an object at the root, no `$ref`, no `$defs`, no
 * combinator at the root. References are inlined; a recursive one ends in an object of any shape.
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
  if (depth >= MAX_DEPTH || inlining.budget.left < 0) return withoutNested(rest);
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
  const limitReached = seen > MAX_RECURSION || inlining.budget.left < 0;
  if (!isJsonObject(target) || limitReached) return { type: "object", ...describedBy(beside, name) };
  return { ...inline(target, inlining, [...path, name], depth), ...beside };
}

function describedBy({ description }: JsonObject, name: string): JsonObject {
  return { description: typeof description === "string" ? description : `${name}, as above` };
}

/** A schema at the depth limit: type and texts without nested schemas. */
function withoutNested({ type, title, description, enum: values, nullable }: JsonObject): JsonObject {
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

/** A union of objects at the root becomes one object with the properties of all; required are those that every member requires. */
function objectAtRoot({ anyOf, ...root }: JsonObject): JsonObject {
  const members = objectsIn(anyOf);
  const properties = Object.assign(
    {},
    ...members.map((member) => objectOrEmpty(member.properties)),
    objectOrEmpty(root.properties),
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

/**
 * A schema of parameters without the details for which some provider rejects a whole request: `nullable` (OpenAPI) becomes a union
 * with null, an array gets `items`, and `required` names only declared properties.
 */
export function acceptableSchema(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  const result: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, acceptableEntry(key, value)]),
  );
  if (nullable === true) Object.assign(result, withNull(result));
  const types = Array.isArray(result.type) ? result.type : [result.type];
  if (types.includes("array") && result.items === undefined && result.prefixItems === undefined) result.items = {};
  if (Array.isArray(result.required)) {
    const { properties } = result;
    const declared = result.required.filter(
      (name) => isJsonObject(properties) && Object.hasOwn(properties, String(name)),
    );
    if (declared.length > 0) result.required = declared;
    else delete result.required;
  }
  return result;
}

function acceptableEntry(key: string, value: JsonValue): JsonValue {
  switch (key) {
    case "properties":
    case "$defs":
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, acceptableOrValue(schema)]))
        : value;
    case "items":
    case "additionalProperties":
      return acceptableOrValue(value);
    case "anyOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(acceptableOrValue) : value;
    default:
      return value;
  }
}

function acceptableOrValue(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? acceptableSchema(schema) : schema;
}

/** Allows null: in the type, or in `anyOf` where there is no type. */
function withNull({ type, anyOf, enum: values }: JsonObject): JsonObject {
  const names = Array.isArray(type) ? type : typeof type === "string" ? [type] : [];
  return {
    ...(names.length > 0 && { type: [...new Set([...names, "null"])] }),
    ...(names.length === 0 && Array.isArray(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}
