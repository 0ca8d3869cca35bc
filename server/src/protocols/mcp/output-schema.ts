import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import { scalarSchema, WELL_KNOWN } from "./input-schema.ts";

/**
 * The JSON Schema of an answer, one level deep (MCP-6): nothing required, nothing recursive, nested messages open. Enum values are not
 * listed, since later versions may have more. Clients compile the schemas of all tools at once, so these are kept small.
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
  // Infinity and NaN are text in proto3 JSON.
  if (field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT) return {};
  return scalarSchema(field.scalar as ScalarType);
}

/** Wrappers are values, e.g. text, so that only what is surely an object is said to be one. */
function messageSchema({ typeName }: DescMessage): JsonObject {
  const wellKnown = WELL_KNOWN[typeName];
  if (wellKnown?.type === "string") return { type: "string" };
  if (typeName === "google.protobuf.Value" || typeName.endsWith("Value")) return {};
  return typeName === "google.protobuf.ListValue" ? { type: "array" } : { type: "object" };
}
