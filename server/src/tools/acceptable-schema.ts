import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/**
 * A schema of parameters without the small things for which one provider or another refuses a whole request: `nullable`, a word of
 * OpenAPI, becomes a union with null; a list says something of its items; what is required is declared.
 */
export function acceptableSchema(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  const result: JsonObject = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inside(key, value)]));
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

function inside(key: string, value: JsonValue): JsonValue {
  switch (key) {
    case "properties":
    case "$defs":
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, ofAny(schema)]))
        : value;
    case "items":
    case "additionalProperties":
      return ofAny(value);
    case "anyOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(ofAny) : value;
    default:
      return value;
  }
}

function ofAny(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? acceptableSchema(schema) : schema;
}

/** Where no type can say that null is allowed, a union does. */
function withNull({ type, anyOf, enum: values }: JsonObject): JsonObject {
  const names = Array.isArray(type) ? type : typeof type === "string" ? [type] : [];
  return {
    ...(names.length > 0 && { type: [...new Set([...names, "null"])] }),
    ...(names.length === 0 && Array.isArray(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}
