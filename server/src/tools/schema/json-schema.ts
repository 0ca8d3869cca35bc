import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Schema, Schema_Type, SchemaSchema } from "@frontdesk/protos/ces/schema";
import { isJsonObject, type JsonObject, type JsonValue, objectOrEmpty, textOrEmpty, textOrJson, textsIn } from "#base";

/** Types of `schema.proto` by their names in JSON Schema. The proto has no null type but the field `nullable`. */
const TYPE_BY_NAME: ReadonlyMap<string, Schema_Type> = new Map([
  ["string", Schema_Type.STRING],
  ["integer", Schema_Type.INTEGER],
  ["number", Schema_Type.NUMBER],
  ["boolean", Schema_Type.BOOLEAN],
  ["object", Schema_Type.OBJECT],
  ["array", Schema_Type.ARRAY],
]);

/** The inverse; without an unspecified type. */
const NAME_BY_TYPE: ReadonlyMap<Schema_Type, string> = new Map([...TYPE_BY_NAME].map(([name, type]) => [type, name]));

/**
 * Converts `schema.proto` (close to OpenAPI 3.0) to JSON Schema: types in lower case, `nullable` as a union with null, enum values
 * in the type of the schema (the proto holds all of them as strings).
 */
export function toJsonSchema(schema: Schema): JsonObject {
  const result: JsonObject = {};
  writeType(schema, result);
  if (schema.title) result.title = schema.title;
  if (schema.description) result.description = schema.description;
  if (schema.enum.length > 0) result.enum = enumValues(schema);
  if (schema.default) result.default = toJson(ValueSchema, schema.default) as JsonValue;
  writeStructure(schema, result);
  writeBounds(schema, result);
  return result;
}

/** Without a type, `anyOf` allows null. */
function writeType(schema: Schema, result: JsonObject): void {
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

function writeStructure(schema: Schema, result: JsonObject): void {
  if (schema.type === Schema_Type.OBJECT || Object.keys(schema.properties).length > 0) {
    result.properties = mapSchemas(schema.properties);
  }
  if (schema.required.length > 0) result.required = [...schema.required];
  if (schema.items) result.items = toJsonSchema(schema.items);
  if (schema.prefixItems.length > 0) result.prefixItems = schema.prefixItems.map(toJsonSchema);
  if (schema.additionalProperties) result.additionalProperties = toJsonSchema(schema.additionalProperties);
  if (Object.keys(schema.defs).length > 0) result.$defs = mapSchemas(schema.defs);
}

function writeBounds(schema: Schema, result: JsonObject): void {
  if (schema.uniqueItems) result.uniqueItems = true;
  if (schema.minItems > 0n) result.minItems = Number(schema.minItems);
  if (schema.maxItems > 0n) result.maxItems = Number(schema.maxItems);
  if (schema.minimum !== undefined) result.minimum = schema.minimum;
  if (schema.maximum !== undefined) result.maximum = schema.maximum;
}

function mapSchemas(schemas: { readonly [name: string]: Schema }): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]));
}

/** Deepest nesting that is converted; deeper schemas become empty. Schemas come from other servers, too. */
const MAX_DEPTH = 50;

/**
 * Converts JSON Schema to `schema.proto`, the inverse of `toJsonSchema`, for schemas of user code and of other servers. A union with
 * null (also OpenAPI's `nullable`) becomes `nullable`, `const` an enum with one value, `oneOf` an `anyOf`, `allOf` one merged schema,
 * enum values strings. Keywords without a field in the proto (format, pattern, lengths, exclusive bounds, closed objects) are dropped.
 */
export function fromJsonSchema(json: JsonObject): Schema {
  return convert(json, MAX_DEPTH);
}

function convert(json: JsonValue | undefined, depth: number): Schema {
  const schema = create(SchemaSchema);
  if (!isJsonObject(json) || depth === 0) return schema;
  const source = mergeAllOf(json);
  schema.title = textOrEmpty(source.title);
  schema.description = textOrEmpty(source.description);
  schema.ref = textOrEmpty(source.$ref).replace(/^#\/(?:\$defs|definitions)\//, "#/defs/");
  if (source.default !== undefined) schema.default = fromJson(ValueSchema, source.default);
  readType(source, schema, depth);
  readEnum(source, schema);
  readStructure(source, schema, depth);
  readBounds(source, schema);
  return readUnion(source, schema, depth);
}

/** Merges `allOf` into one schema: later keywords win; properties and required names are united. */
function mergeAllOf({ allOf, ...source }: JsonObject): JsonObject {
  if (!Array.isArray(allOf)) return source;
  const parts = [...allOf.filter(isJsonObject), source];
  const properties = Object.assign({}, ...parts.map((part) => objectOrEmpty(part.properties)));
  const required = parts.flatMap((part) => textsIn(part.required));
  return Object.assign({}, ...parts, { properties, required: [...new Set(required)] });
}

/** A list of types becomes a union. */
function readType({ type, nullable }: JsonObject, schema: Schema, depth: number): void {
  const names = typeof type === "string" ? [type] : textsIn(type);
  schema.nullable = nullable === true || names.includes("null");
  const known = names.filter((name) => TYPE_BY_NAME.has(name));
  const [only = ""] = known;
  if (known.length > 1) schema.anyOf = known.map((name) => convert({ type: name }, depth - 1));
  else schema.type = TYPE_BY_NAME.get(only) ?? Schema_Type.TYPE_UNSPECIFIED;
}

function readEnum(source: JsonObject, schema: Schema): void {
  const values = source.const === undefined ? source.enum : [source.const];
  if (!Array.isArray(values)) return;
  if (values.includes(null)) schema.nullable = true;
  schema.enum = values.filter((value) => value !== null).map(textOrJson);
  if (source.const !== undefined && schema.type === Schema_Type.TYPE_UNSPECIFIED) schema.type = typeOf(source.const);
}

function typeOf(value: JsonValue): Schema_Type {
  if (Number.isInteger(value)) return Schema_Type.INTEGER;
  return TYPE_BY_NAME.get(typeof value) ?? Schema_Type.TYPE_UNSPECIFIED;
}

function readStructure(source: JsonObject, schema: Schema, depth: number): void {
  schema.properties = convertAll(source.properties, depth);
  schema.required = [...textsIn(source.required)];
  const { items, prefixItems, additionalProperties: additional } = source;
  if (isJsonObject(items)) schema.items = convert(items, depth - 1);
  // Before draft 2020-12, an array in `items` had the meaning of `prefixItems`.
  const first = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(first)) schema.prefixItems = first.map((item) => convert(item, depth - 1));
  if (additional === true || isJsonObject(additional)) schema.additionalProperties = convert(additional, depth - 1);
  schema.defs = { ...convertAll(source.definitions, depth), ...convertAll(source.$defs, depth) };
}

function convertAll(schemas: JsonValue | undefined, depth: number): { [name: string]: Schema } {
  return Object.fromEntries(
    Object.entries(objectOrEmpty(schemas)).map(([name, schema]) => [name, convert(schema, depth - 1)]),
  );
}

function readBounds({ uniqueItems, minItems, maxItems, minimum, maximum }: JsonObject, schema: Schema): void {
  schema.uniqueItems = uniqueItems === true;
  schema.minItems = countOf(minItems);
  schema.maxItems = countOf(maxItems);
  if (typeof minimum === "number") schema.minimum = minimum;
  if (typeof maximum === "number") schema.maximum = maximum;
}

/** A null member makes the union nullable; a single other member replaces the union. */
function readUnion({ anyOf, oneOf }: JsonObject, schema: Schema, depth: number): Schema {
  const members = Array.isArray(anyOf) ? anyOf : oneOf;
  if (!Array.isArray(members)) return schema;
  const others = members.filter((member) => !isNull(member));
  if (others.length < members.length) schema.nullable = true;
  const converted = others.map((member) => convert(member, depth - 1));
  const [only] = converted;
  if (only && converted.length === 1 && others.length < members.length) return mergeOptional(schema, only);
  schema.anyOf = converted;
  return schema;
}

function isNull(member: JsonValue): boolean {
  return isJsonObject(member) && member.type === "null";
}

/** The member of an optional union, with title, description and default of the union. */
function mergeOptional(whole: Schema, member: Schema): Schema {
  member.nullable = true;
  member.title = whole.title || member.title;
  member.description = whole.description || member.description;
  member.defs = { ...member.defs, ...whole.defs };
  if (whole.default) member.default = whole.default;
  return member;
}

function countOf(value: JsonValue | undefined): bigint {
  return Number.isSafeInteger(value) && Number(value) > 0 ? BigInt(Number(value)) : 0n;
}
