import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import { scalarSchema, WELL_KNOWN } from "./input-schema.ts";

/**
 * The JSON Schema of a response, one level deep (MCP-6): no required fields, no recursion, nested messages open. Enum values are not
 * listed, because later versions may have more. Clients compile the schemas of all tools at once, so these are small.
 */
export function outputSchema(type: DescMessage): JsonObject {
  const fields = type.fields.filter((field) => !field.deprecated);
  return {
    type: "object",
    title: type.name,
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field)])),
  };
}

function fieldSchema(field: DescField): JsonObject {
  switch (field.fieldKind) {
    case "list":
      return { type: "array", items: valueSchema(field) };
    case "map":
      return { type: "object" };
    default:
      return valueSchema(field);
  }
}

function valueSchema(field: DescField): JsonObject {
  if (field.enum) return { type: "string" };
  if (field.message) return messageSchema(field.message);
  // Infinity and NaN are strings in proto3 JSON.
  if (field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT) return {};
  return scalarSchema(field.scalar as ScalarType);
}

/** Wrapper types are plain values in JSON, so only other messages are objects. */
function messageSchema({ typeName }: DescMessage): JsonObject {
  const wellKnown = WELL_KNOWN[typeName];
  if (wellKnown?.type === "string") return { type: "string" };
  if (typeName === "google.protobuf.Value" || typeName.endsWith("Value")) return {};
  return typeName === "google.protobuf.ListValue" ? { type: "array" } : { type: "object" };
}
