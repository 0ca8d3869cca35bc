import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { definedFields, type JsonObject } from "#base";
import { namesIn } from "../json/fields.ts";
import { describeField } from "./describe.ts";
import type { NameFormats } from "./resource-patterns.ts";

interface SchemaOptions {
  /** Short descriptions. Default false. */
  readonly brief?: boolean;
  /**
   * Levels of nested messages with a schema; deeper ones are open objects. Default 4: clients reject schemas of more than ten levels.
   */
  readonly levels?: number;
}

/**
 * The JSON Schema of a request, in the form that every client takes (MCP-6): an object at the root, no references, no combinators,
 * no formats that validators do not know. Output-only fields are left out; the server accepts them all the same.
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

interface SchemaContext {
  readonly formats: NameFormats;
  /** Short descriptions. */
  readonly brief: boolean;
  readonly levels: number;
  /** The enclosing messages, the outermost first. */
  readonly ancestors: readonly DescMessage[];
  /** Whether the request updates a resource: then only the resource's name is required. */
  readonly update: boolean;
}

function objectSchema(type: DescMessage, context: SchemaContext): JsonObject {
  const fields = type.fields.filter((field) => isOffered(field, context));
  const required = fields.filter((field) => isRequired(field, context)).map((field) => field.jsonName);
  const properties = Object.fromEntries(fields.map((field) => [field.jsonName, described(field, context, type)]));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Deprecated arguments of a tool itself are listed, because the hosted tools have them; deprecated fields of resources are not. */
function isOffered(field: DescField, { ancestors }: SchemaContext): boolean {
  return (!field.deprecated || ancestors.length === 0) && !behaviours(field).includes(FieldBehavior.OUTPUT_ONLY);
}

function described(field: DescField, context: SchemaContext, type: DescMessage): JsonObject {
  const description = describeField(field, context.formats, {
    brief: context.brief,
    nested: context.ancestors.length > 0,
  });
  return {
    ...fieldSchema(field, { ...context, ancestors: [...context.ancestors, type] }),
    ...definedFields({ description }),
  };
}

function isRequired(field: DescField, { update, ancestors }: SchemaContext): boolean {
  if (update && ancestors.length === 1 && field.name === "name") return true;
  return behaviours(field).includes(FieldBehavior.REQUIRED) && !(update && ancestors.length === 1);
}

function behaviours(field: DescField): readonly FieldBehavior[] {
  return getOption(field, field_behavior);
}

function fieldSchema(field: DescField, context: SchemaContext): JsonObject {
  switch (field.fieldKind) {
    case "list":
      return { type: "array", items: valueSchema(field, context) };
    case "map":
      return { type: "object", additionalProperties: valueSchema(field, context) };
    default:
      return valueSchema(field, context);
  }
}

function valueSchema(field: DescField, context: SchemaContext): JsonObject {
  if (field.enum) return { type: "string", enum: [...namesIn(field.enum)] };
  if (field.message) return messageSchema(field.message, context);
  return scalarSchema(field.scalar as ScalarType);
}

function messageSchema(type: DescMessage, context: SchemaContext): JsonObject {
  const wellKnown = WELL_KNOWN[type.typeName];
  if (wellKnown) return wellKnown;
  const seen = context.ancestors.filter((ancestor) => ancestor === type).length;
  if (seen > 0 || context.ancestors.length > context.levels) return { type: "object", additionalProperties: true };
  return objectSchema(type, context);
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

/** 64-bit integers are strings: JSON numbers lose their last digits. */
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
