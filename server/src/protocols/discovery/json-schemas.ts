import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { behaviorsOf, FieldBehavior, isOutputOnly } from "#aip";
import type { JsonObject } from "#base";

/** The schemas of an API's messages in the form of Discovery, by id. */
export class JsonSchemas {
  /** All that were asked for, and what they refer to. */
  readonly found: Record<string, JsonObject> = {};
  readonly #ids = new Map<string, string>();

  /** A reference to the schema of a message, which it adds. */
  reference(type: DescMessage): JsonObject {
    const known = this.#ids.get(type.typeName);
    if (known !== undefined) return { $ref: known };
    const id = this.#newId(type);
    this.#ids.set(type.typeName, id);
    this.found[id] = {}; // Its place, before those of what it refers to.
    const properties = type.fields.map((field) => [field.jsonName, this.#property(field)]);
    this.found[id] = { id, type: "object", properties: Object.fromEntries(properties) };
    return { $ref: id };
  }

  /** As generated clients of the hosted API name them: nested names together, the package only where it is not Google's or the name is taken. */
  #newId({ typeName, file }: DescMessage): string {
    const { package: packageName } = file.proto;
    const name = typeName.slice(packageName.length + 1).replaceAll(".", "");
    const isFree = packageName.startsWith("google.") && !Object.hasOwn(this.found, name);
    return isFree ? name : `${pascal(packageName)}${name}`;
  }

  #property(field: DescField): JsonObject {
    return {
      ...describedBy(field),
      ...this.#container(field),
      ...(isOutputOnly(field) && { readOnly: true }),
      ...(field.deprecated && { deprecated: true }),
    };
  }

  #container(field: DescField): JsonObject {
    if (field.fieldKind === "list") return { type: "array", items: this.#value(field) };
    if (field.fieldKind === "map") return { type: "object", additionalProperties: this.#value(field) };
    return this.#value(field);
  }

  #value(field: DescField): JsonObject {
    return field.message && !isText(field.message)
      ? (OBJECTS[field.message.typeName] ?? this.reference(field.message))
      : textSchema(field);
  }
}

/** The words that begin the description of a field in Discovery, where nothing else says how it behaves. */
export function describedBy(field: DescField): JsonObject {
  const words = BEHAVIOURS.find(([behaviour]) => behaviorsOf(field).has(behaviour))?.[1];
  return words === undefined ? {} : { description: words };
}

const BEHAVIOURS = [
  [FieldBehavior.REQUIRED, "Required."],
  [FieldBehavior.OUTPUT_ONLY, "Output only."],
  [FieldBehavior.INPUT_ONLY, "Input only."],
  [FieldBehavior.IDENTIFIER, "Identifier."],
  [FieldBehavior.IMMUTABLE, "Immutable."],
  [FieldBehavior.OPTIONAL, "Optional."],
] as const;

/** Whether the JSON of a message is one string, number or boolean. */
export function isText({ typeName }: DescMessage): boolean {
  return Object.hasOwn(TEXTS, typeName) || WRAPPER.test(typeName);
}

const WRAPPER = /^google\.protobuf\.(?!List)\w+Value$/;

/** The schema of one value of a field that is a scalar, an enum, or a message whose JSON is text. */
export function textSchema(field: DescField): JsonObject {
  if (field.enum) return enumSchema(field.enum);
  if (!field.message) return SCALARS[field.scalar as ScalarType] ?? { type: "string" };
  const [value] = field.message.fields;
  return TEXTS[field.message.typeName] ?? (value ? textSchema(value) : { type: "string" });
}

function enumSchema({ values }: DescEnum): JsonObject {
  return { type: "string", enum: values.map(({ name }) => name), enumDescriptions: values.map(() => "") };
}

function pascal(packageName: string): string {
  return packageName.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const ANY_KEYS = { type: "any", description: "Properties of the object." };

/** Messages whose JSON is not an object with their fields. */
const OBJECTS: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Struct": { type: "object", additionalProperties: ANY_KEYS },
  "google.protobuf.Any": {
    type: "object",
    additionalProperties: { type: "any", description: "Properties of the object. Contains field @type with type URL." },
  },
  "google.protobuf.Value": { type: "any" },
  "google.protobuf.ListValue": { type: "array", items: { type: "any" } },
};

const TEXTS: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Timestamp": { type: "string", format: "google-datetime" },
  "google.protobuf.Duration": { type: "string", format: "google-duration" },
  "google.protobuf.FieldMask": { type: "string", format: "google-fieldmask" },
};

const SCALARS: Readonly<Partial<Record<ScalarType, JsonObject>>> = {
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.BYTES]: { type: "string", format: "byte" },
  [ScalarType.DOUBLE]: { type: "number", format: "double" },
  [ScalarType.FLOAT]: { type: "number", format: "float" },
  [ScalarType.INT32]: { type: "integer", format: "int32" },
  [ScalarType.UINT32]: { type: "integer", format: "uint32" },
  [ScalarType.INT64]: { type: "string", format: "int64" },
  [ScalarType.UINT64]: { type: "string", format: "uint64" },
};
