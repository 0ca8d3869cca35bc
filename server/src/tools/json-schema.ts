import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Schema, Schema_Type } from "@frontdesk/protos/ces/schema";
import type { JsonObject, JsonValue } from "#base";

/**
 * The platform's schema dialect (`schema.proto`, close to OpenAPI 3.0) as JSON Schema: types in lower case, `nullable` as a
 * union with null, integer and number enums as numbers (the proto writes every enum value as text).
 */
export function toJsonSchema(schema: Schema): JsonObject {
  const result: JsonObject = {};
  const type = TYPES[schema.type];
  if (type) result.type = schema.nullable ? [type, "null"] : type;
  if (schema.title) result.title = schema.title;
  if (schema.description) result.description = schema.description;
  if (schema.enum.length > 0) result.enum = enumValues(schema);
  if (schema.default) result.default = toJson(ValueSchema, schema.default) as JsonValue;
  if (schema.ref) result.$ref = schema.ref.replace(/^#\/defs\//, "#/$defs/");
  addStructure(schema, result);
  addBounds(schema, result);
  return result;
}

const TYPES: Readonly<Record<Schema_Type, string>> = {
  [Schema_Type.TYPE_UNSPECIFIED]: "",
  [Schema_Type.STRING]: "string",
  [Schema_Type.INTEGER]: "integer",
  [Schema_Type.NUMBER]: "number",
  [Schema_Type.BOOLEAN]: "boolean",
  [Schema_Type.OBJECT]: "object",
  [Schema_Type.ARRAY]: "array",
};

function enumValues(schema: Schema): JsonValue[] {
  const numeric = schema.type === Schema_Type.INTEGER || schema.type === Schema_Type.NUMBER;
  const values: JsonValue[] = numeric ? schema.enum.map(Number) : [...schema.enum];
  return schema.nullable ? [...values, null] : values;
}

function addStructure(schema: Schema, result: JsonObject): void {
  if (schema.type === Schema_Type.OBJECT || Object.keys(schema.properties).length > 0) {
    result.properties = mapSchemas(schema.properties);
  }
  if (schema.required.length > 0) result.required = [...schema.required];
  if (schema.items) result.items = toJsonSchema(schema.items);
  if (schema.prefixItems.length > 0) result.prefixItems = schema.prefixItems.map(toJsonSchema);
  if (schema.additionalProperties) result.additionalProperties = toJsonSchema(schema.additionalProperties);
  if (schema.anyOf.length > 0) result.anyOf = schema.anyOf.map(toJsonSchema);
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
