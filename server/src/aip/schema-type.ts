import { type Schema, Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import type { JsonValue } from "#base";

/** How a value is not of the type that a schema declares: `a string, declared as INTEGER`. Undefined when it is, or nothing is declared. */
export function typeFault(schema: Pick<Schema, "type"> | undefined, value: JsonValue): string | undefined {
  const declared = schema?.type ?? Type.TYPE_UNSPECIFIED;
  const [types, words] = typesOf(value);
  if (!DECLARED.has(declared) || types.includes(declared)) return undefined;
  return `${words}, declared as ${Type[declared]}`;
}

const DECLARED: ReadonlySet<Type> = new Set([
  Type.STRING,
  Type.INTEGER,
  Type.NUMBER,
  Type.BOOLEAN,
  Type.OBJECT,
  Type.ARRAY,
]);

/** The types that a value may be declared with, and what it is in words. Null is a value of each type. */
function typesOf(value: JsonValue): readonly [readonly Type[], string] {
  if (value === null) return [[...DECLARED], "null"];
  if (Array.isArray(value)) return [[Type.ARRAY], "a list"];
  switch (typeof value) {
    case "string":
      return [[Type.STRING], "a string"];
    case "boolean":
      return [[Type.BOOLEAN], "a boolean"];
    case "number":
      return Number.isInteger(value) ? [[Type.INTEGER, Type.NUMBER], "a number"] : [[Type.NUMBER], "a fraction"];
    default:
      return [[Type.OBJECT], "an object"];
  }
}
