import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Schema, Schema_Type } from "@frontdesk/protos/ces/schema";

/** Arguments to begin with: every property of an object schema with an empty value of its type, or its default. */
export function sampleArguments(schema: Schema | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]),
  );
}

function sampleOf({ type, enum: values, properties }: Schema): JsonValue {
  switch (type) {
    case Schema_Type.OBJECT:
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]));
    case Schema_Type.ARRAY:
      return [];
    case Schema_Type.BOOLEAN:
      return false;
    case Schema_Type.INTEGER:
    case Schema_Type.NUMBER:
      return 0;
    default:
      return values[0] ?? "";
  }
}
