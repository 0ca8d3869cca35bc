import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Keywords that some provider refuses. What they say is checked when the answer is read. */
const LEFT_OUT: ReadonlySet<string> = new Set(["$schema", "default", "maxLength", "minLength", "maxItems", "minItems"]);

/** The JSON Schema of a shape, in the subset that all providers take in strict mode. */
export function responseSchemaOf(shape: z.ZodType): JsonObject {
  return reduced(z.toJSONSchema(shape) as JsonObject) as JsonObject;
}

function reduced(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(reduced);
  if (!isJsonObject(schema)) return schema;
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isJsonObject(value)) {
      kept[key] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reduced(member)]));
    } else if (!LEFT_OUT.has(key)) kept[key] = reduced(value);
  }
  return kept;
}
