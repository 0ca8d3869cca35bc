import { type DescField, type DescMessage, ScalarType, type Registry as TypeRegistry } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { type JsonValue, shortestFloat } from "#base";

/** Changes the JSON of a message, which nobody else has yet. */
type Shorten = (json: JsonValue) => void;

type Members = Record<string, JsonValue>;

/** Gives the 32-bit floats in the JSON of messages as many digits as they have: 0.9, not 0.8999999761581421 (WIRE-27). */
export function createFloatShortener(types: TypeRegistry): (type: DescMessage, json: JsonValue) => void {
  const compiled = new Map<DescMessage, Shorten | undefined>();

  const compile = (desc: DescMessage): Shorten | undefined => {
    if (compiled.has(desc)) return compiled.get(desc);
    if (desc.typeName === AnySchema.typeName) return shortenAny;
    if (!reachesFloat(desc)) return void compiled.set(desc, undefined);
    const steps: (readonly [name: string, field: DescField, shorten: Shorten | undefined])[] = [];
    // Before its fields, because message types may contain themselves.
    compiled.set(desc, (json) => {
      const members = membersOf(json);
      for (const [name, field, shorten] of members ? steps : [])
        if (members?.[name] !== undefined) members[name] = shortened(members[name], field, shorten);
    });
    for (const field of desc.fields) {
      const shorten = field.message && compile(field.message);
      if (shorten || isFloat(field)) steps.push([field.jsonName, field, shorten]);
    }
    return compiled.get(desc);
  };

  const shortenAny: Shorten = (json) => {
    const name = membersOf(json)?.["@type"];
    const type = typeof name === "string" ? types.getMessage(name.slice(name.lastIndexOf("/") + 1)) : undefined;
    if (type) compile(type)?.(json);
  };

  return (type, json) => compile(type)?.(json);
}

function shortened(value: JsonValue, field: DescField, shorten: Shorten | undefined): JsonValue {
  const single = (item: JsonValue): JsonValue => {
    if (typeof item === "number") return shortestFloat(item);
    shorten?.(item);
    return item;
  };
  if (field.fieldKind === "list") {
    const items = value as JsonValue[];
    for (const [at, item] of items.entries()) items[at] = single(item);
    return items;
  }
  if (field.fieldKind !== "map") return single(value);
  return Object.fromEntries(Object.entries(value as Members).map(([key, item]) => [key, single(item)]));
}

/** Whether a message of the type can contain a float, or an `Any`, which can contain everything. */
function reachesFloat(start: DescMessage): boolean {
  const seen = new Set<DescMessage>([start]);
  for (const desc of seen) {
    if (desc.typeName === AnySchema.typeName || desc.fields.some(isFloat)) return true;
    for (const { message } of desc.fields) if (message) seen.add(message);
  }
  return false;
}

function isFloat(field: DescField): boolean {
  return field.scalar === ScalarType.FLOAT;
}

function membersOf(json: JsonValue): Members | undefined {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Members) : undefined;
}
