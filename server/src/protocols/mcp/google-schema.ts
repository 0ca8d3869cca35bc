import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { definedFields, type JsonObject } from "#base";
import { describeField } from "./describe.ts";
import type { NameFormats } from "./resource-patterns.ts";

/**
 * The JSON Schema of a message in the form of the hosted server (MCP-5): nested messages in `$defs`, output-only fields
 * marked, oneofs not expressed. For programs that were written against it; many clients cannot read it.
 */
export function googleSchema(type: DescMessage, formats: NameFormats, isInput: boolean): JsonObject {
  const definitions = new Definitions(formats, isInput);
  const root = definitions.object(type);
  const entries = Object.entries(definitions.found);
  return { ...root, ...(entries.length > 0 && { $defs: Object.fromEntries(entries) }) };
}

class Definitions {
  readonly found: Record<string, JsonObject> = {};
  readonly #formats: NameFormats;
  readonly #isInput: boolean;
  readonly #keys = new Map<string, string>();

  constructor(formats: NameFormats, isInput: boolean) {
    this.#formats = formats;
    this.#isInput = isInput;
  }

  object(type: DescMessage): JsonObject {
    const required = this.#isInput ? type.fields.filter((field) => has(field, FieldBehavior.REQUIRED)) : [];
    return {
      type: "object",
      description: `${type.name} message.`,
      properties: Object.fromEntries(type.fields.map((field) => [field.jsonName, this.#field(field)])),
      ...(required.length > 0 && { required: required.map(({ jsonName }) => jsonName) }),
    };
  }

  #field(field: DescField): JsonObject {
    const description = describeField(field, this.#formats);
    return {
      ...this.#container(field),
      ...definedFields({ description }),
      ...(field.deprecated && { deprecated: true }),
      ...(has(field, FieldBehavior.OUTPUT_ONLY) && { readOnly: true }),
      ...(has(field, FieldBehavior.INPUT_ONLY) && { writeOnly: true }),
      ...(has(field, FieldBehavior.IMMUTABLE) && { "x-google-immutable": true }),
      ...(has(field, FieldBehavior.IDENTIFIER) && { "x-google-identifier": true }),
    };
  }

  #container(field: DescField): JsonObject {
    switch (field.fieldKind) {
      case "list":
        return { type: "array", items: this.#value(field) };
      case "map":
        return { type: "object", additionalProperties: this.#value(field) };
      default:
        return this.#value(field);
    }
  }

  #value(field: DescField): JsonObject {
    if (field.enum) return enumSchema(field.enum);
    if (field.message) return WELL_KNOWN[field.message.typeName] ?? this.#reference(field.message);
    return scalarSchema(field.scalar as ScalarType);
  }

  #reference(type: DescMessage): JsonObject {
    const known = this.#keys.get(type.typeName);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const taken = new Set(this.#keys.values());
    const key = taken.has(type.name) ? type.typeName.replaceAll(".", "") : type.name;
    this.#keys.set(type.typeName, key);
    this.found[key] = this.object(type);
    return { $ref: `#/$defs/${key}` };
  }
}

function has(field: DescField, behaviour: FieldBehavior): boolean {
  return getOption(field, field_behavior).includes(behaviour);
}

function enumSchema({ values }: DescEnum): JsonObject {
  return { type: "string", enum: values.map(({ name }) => name) };
}

const WELL_KNOWN: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", format: "google-duration" },
  "google.protobuf.FieldMask": { type: "string", format: "google-fieldmask" },
  "google.protobuf.Struct": { type: "object", additionalProperties: { description: "Any value." } },
  "google.protobuf.Value": { description: "Any value." },
  "google.protobuf.ListValue": { type: "array", items: {} },
  "google.protobuf.Any": {
    type: "object",
    additionalProperties: { description: "The message's own fields, and @type." },
  },
  "google.protobuf.Empty": { type: "object", properties: {} },
};

const SCALARS: Readonly<Partial<Record<ScalarType, JsonObject>>> = {
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BYTES]: { type: "string", format: "byte" },
  [ScalarType.DOUBLE]: { type: "number", format: "double" },
  [ScalarType.FLOAT]: { type: "number", format: "float" },
  [ScalarType.INT32]: { type: "integer", format: "int32" },
  [ScalarType.UINT32]: { type: "integer", format: "int64", minimum: 0, maximum: 4_294_967_295 },
  [ScalarType.UINT64]: { type: "string", format: "uint64" },
};

function scalarSchema(scalar: ScalarType): JsonObject {
  return SCALARS[scalar] ?? { type: "string", format: "int64" };
}
