import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import type { JsonObject } from "#base";
import { describeField } from "./describe.ts";
import type { NameFormats } from "./resource-patterns.ts";

export interface SchemaOptions {
  /** Use as few words as do. Default false. */
  readonly brief?: boolean;
  /**
   * Message levels below the root that are written out; a deeper one is an open object. Default 4: clients refuse schemas of more than
   * ten levels.
   */
  readonly levels?: number;
}

/**
 * The JSON Schema of a request, in the form that every client takes (MCP-6): an object at the root, no references, no combinators,
 * no formats that validators do not know. What the caller cannot set is left out; the server accepts it all the same.
 */
export function inputSchema(type: DescMessage, formats: NameFormats, options: SchemaOptions = {}): JsonObject {
  return objectSchema(type, {
    formats,
    brief: options.brief ?? false,
    levels: options.levels ?? 4,
    ancestors: [],
    update: type.fields.some((field) => field.name === "update_mask"),
  });
}

interface Place {
  readonly formats: NameFormats;
  /** Few words. */
  readonly brief: boolean;
  readonly levels: number;
  /** Messages around this one, the outermost first. */
  readonly ancestors: readonly DescMessage[];
  /** Whether the request updates a resource: then the resource's name is its key. */
  readonly update: boolean;
}

function objectSchema(type: DescMessage, place: Place): JsonObject {
  const fields = type.fields.filter((field) => isOffered(field, place));
  const required = fields.filter((field) => isRequired(field, place)).map((field) => field.jsonName);
  const properties = Object.fromEntries(fields.map((field) => [field.jsonName, described(field, place, type)]));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Old arguments of a tool itself are still told, because the hosted tools have them; old fields of resources are not. */
function isOffered(field: DescField, { ancestors }: Place): boolean {
  return (!field.deprecated || ancestors.length === 0) && !behaviours(field).includes(FieldBehavior.OUTPUT_ONLY);
}

function described(field: DescField, place: Place, type: DescMessage): JsonObject {
  const description = describeField(field, place.formats, { brief: place.brief, inside: place.ancestors.length > 0 });
  return {
    ...fieldSchema(field, { ...place, ancestors: [...place.ancestors, type] }),
    ...(description !== undefined && { description }),
  };
}

function isRequired(field: DescField, { update, ancestors }: Place): boolean {
  if (update && ancestors.length === 1 && field.name === "name") return true;
  return behaviours(field).includes(FieldBehavior.REQUIRED) && !(update && ancestors.length === 1);
}

function behaviours(field: DescField): readonly FieldBehavior[] {
  return getOption(field, field_behavior);
}

function fieldSchema(field: DescField, place: Place): JsonObject {
  switch (field.fieldKind) {
    case "list":
      return { type: "array", items: valueSchema(field, place) };
    case "map":
      return { type: "object", additionalProperties: valueSchema(field, place) };
    default:
      return valueSchema(field, place);
  }
}

function valueSchema(field: DescField, place: Place): JsonObject {
  if (field.enum) return enumSchema(field.enum);
  if (field.message) return messageSchema(field.message, place);
  return scalarSchema(field.scalar as ScalarType);
}

function enumSchema({ values }: DescEnum): JsonObject {
  return {
    type: "string",
    enum: values.filter(({ number, name }) => number !== 0 || !name.endsWith("_UNSPECIFIED")).map(({ name }) => name),
  };
}

function messageSchema(type: DescMessage, place: Place): JsonObject {
  const wellKnown = WELL_KNOWN[type.typeName];
  if (wellKnown) return wellKnown;
  const seen = place.ancestors.filter((ancestor) => ancestor === type).length;
  if (seen > 0 || place.ancestors.length > place.levels) return { type: "object", additionalProperties: true };
  return objectSchema(type, place);
}

/** proto3 JSON of messages that are not JSON objects of their fields. */
export const WELL_KNOWN: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  "google.protobuf.FieldMask": { type: "string" },
  "google.protobuf.Struct": { type: "object", additionalProperties: true },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array", items: {} },
  "google.protobuf.Any": { type: "object", additionalProperties: true },
  "google.protobuf.Empty": { type: "object", properties: {} },
};

/** 64-bit integers are text: JSON numbers lose their last digits. */
export function scalarSchema(scalar: ScalarType): JsonObject {
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: "number" };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: "integer", minimum: 0 };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: "integer" };
    default:
      return { type: "string", pattern: "^-?[0-9]+$" };
  }
}
