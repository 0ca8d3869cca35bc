import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Schema, Schema_Type } from "@frontdesk/protos/ces/schema";
import type { JsonObject, JsonValue } from "#base";
import { NAME_BY_TYPE } from "./schema-types.ts";

/**
 * The platform's schema dialect (`schema.proto`, close to OpenAPI 3.0) as JSON Schema: types in lower case, `nullable` as a
 * union with null, integer, number and boolean enums as such values (the proto writes every enum value as text).
 */
export function toJsonSchema(schema: Schema): JsonObject {
  const result: JsonObject = {};
  addType(schema, result);
  if (schema.title) result.title = schema.title;
  if (schema.description) result.description = schema.description;
  if (schema.enum.length > 0) result.enum = enumValues(schema);
  if (schema.default) result.default = toJson(ValueSchema, schema.default) as JsonValue;
  addStructure(schema, result);
  addBounds(schema, result);
  return result;
}

/** Where no type can say that null is allowed, a union does. */
function addType(schema: Schema, result: JsonObject): void {
  const type = NAME_BY_TYPE.get(schema.type);
  if (type) result.type = schema.nullable ? [type, "null"] : type;
  const unionWithNull = schema.nullable && !type;
  const members = schema.anyOf.map(toJsonSchema);
  if (schema.ref) {
    const reference = { $ref: schema.ref.replace(/^#\/defs\//, "#/$defs/") };
    if (unionWithNull && members.length === 0) members.push(reference);
    else Object.assign(result, reference);
  }
  if (members.length > 0) result.anyOf = unionWithNull ? [...members, { type: "null" }] : members;
}

function enumValues(schema: Schema): JsonValue[] {
  const values = schema.enum.map((text) => enumValue(schema.type, text));
  return schema.nullable ? [...values, null] : values;
}

function enumValue(type: Schema_Type, text: string): JsonValue {
  if (type === Schema_Type.BOOLEAN) return text === "true";
  return type === Schema_Type.INTEGER || type === Schema_Type.NUMBER ? Number(text) : text;
}

function addStructure(schema: Schema, result: JsonObject): void {
  if (schema.type === Schema_Type.OBJECT || Object.keys(schema.properties).length > 0) {
    result.properties = mapSchemas(schema.properties);
  }
  if (schema.required.length > 0) result.required = [...schema.required];
  if (schema.items) result.items = toJsonSchema(schema.items);
  if (schema.prefixItems.length > 0) result.prefixItems = schema.prefixItems.map(toJsonSchema);
  if (schema.additionalProperties) result.additionalProperties = toJsonSchema(schema.additionalProperties);
  if (Object.keys(schema.defs).length > 0) result.$defs = mapSchemas(schema.defs);
}

function addBounds(schema: Schema, result: JsonObject): void {
  if (schema.uniqueItems) result.uniqueItems = true;
  if (schema.minItems > 0n) result.minItems = Number(schema.minItems);
  if (schema.maxItems > 0n) result.maxItems = Number(schema.maxItems);
  if (schema.minimum !== undefined) result.minimum = schema.minimum;
  if (schema.maximum !== undefined) result.maximum = schema.maximum;
}

function mapSchemas(schemas: { readonly [name: string]: Schema }): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]));
}
