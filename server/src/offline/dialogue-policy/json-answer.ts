import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { JsonSchema } from "#models";
import { typeOf } from "./slots/parameter.ts";

/** The value of fields for reasons: a judgement is never invented. */
const NO_JUDGEMENT = "Frontdesk's built-in model does not judge texts.";

/**
 * The smallest JSON value that a schema accepts: required properties only, defaults and first enum values, false, 0, empty.
 * The built-in model has no judgement, so this is its whole answer to a request with a response schema.
 */
export function smallestJson(schema: JsonSchema): JsonValue {
  return smallest(schema, schema, "", 0);
}

/** The depth limit for schemas that refer to themselves. */
const MAX_DEPTH = 20;

function smallest(schema: JsonSchema, root: JsonSchema, name: string, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return null;
  const resolved = resolve(schema, root);
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.default !== undefined) return resolved.default;
  if (Array.isArray(resolved.enum) && resolved.enum[0] !== undefined) return resolved.enum[0];
  const options = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(options) && isJsonObject(options[0])) return smallest(options[0], root, name, depth + 1);
  switch (resolved.type === undefined && isJsonObject(resolved.properties) ? "object" : typeOf(resolved)) {
    case "object":
      return smallestObject(resolved, root, depth);
    case "array":
      return smallestArray(resolved, root, depth);
    case "boolean":
      return false;
    case "integer":
    case "number":
      return smallestNumber(resolved);
    case "null":
      return null;
    default:
      return smallestText(resolved, name);
  }
}

/** A local reference (`#/$defs/X`) followed, and `allOf` merged; what cannot be found is an empty schema. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.filter(isJsonObject).map((part) => resolve(part, root));
    return Object.assign({}, schema, ...parts);
  }
  if (typeof schema.$ref !== "string") return schema;
  const found = schema.$ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((key) => key !== "")
    .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), root);
  return isJsonObject(found) && found !== schema ? found : {};
}

function smallestObject(schema: JsonSchema, root: JsonSchema, depth: number): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return Object.fromEntries(
    required.map((name) => {
      const property = properties[name];
      return [name, smallest(isJsonObject(property) ? property : {}, root, name, depth + 1)];
    }),
  );
}

function smallestArray(schema: JsonSchema, root: JsonSchema, depth: number): JsonValue {
  const length = typeof schema.minItems === "number" ? schema.minItems : 0;
  const items = isJsonObject(schema.items) ? schema.items : {};
  return Array.from({ length }, () => smallest(items, root, "", depth + 1));
}

function smallestNumber(schema: JsonSchema): number {
  const least = Number(
    schema.minimum ?? (typeof schema.exclusiveMinimum === "number" ? schema.exclusiveMinimum + 1 : 0),
  );
  const most = Number(schema.maximum ?? Number.POSITIVE_INFINITY);
  return schema.minimum === undefined && schema.exclusiveMinimum === undefined ? Math.min(0, most) : least;
}

function smallestText(schema: JsonSchema, name: string): string {
  if (schema.format === "date") return "1970-01-01";
  if (schema.format === "date-time") return "1970-01-01T00:00:00Z";
  const text = /reason|explanation|justification|rationale|comment/i.test(name) ? NO_JUDGEMENT : "";
  const shortest = typeof schema.minLength === "number" ? schema.minLength : 0;
  return text.padEnd(shortest, "-");
}
