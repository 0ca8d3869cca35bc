import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  type JsonValue as ProtobufJson,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import type { JsonValue } from "#base";
import { isWellKnown, setFields } from "../message/message-fields.ts";
import { compareCodePoints, type Document, type Member } from "./document.ts";
import { isKept } from "./output-only.ts";
import { spellDouble, spellFloat } from "./spell-number.ts";

/**
 * A message as a manifest: fields in field-number order, map keys sorted by code point, fields at their default left out,
 * messages that are set but empty kept, output-only fields left out (PKG-12, PKG-15).
 */
export function toDocument(schema: DescMessage, message: Message): Document {
  const members = setFields(schema, message)
    .filter(({ field }) => isKept(field))
    .map(({ field, value }): Member => [field.jsonName, fieldDocument(field, value)]);
  return { kind: "object", members };
}

/** A free-form value: keys sorted by code point, every number a double. */
export function freeFormDocument(value: JsonValue): Document {
  if (value === null || typeof value === "boolean") return { kind: "literal", text: String(value) };
  if (typeof value === "number") return { kind: "literal", text: spellDouble(value) };
  if (typeof value === "string") return { kind: "text", text: value };
  if (Array.isArray(value)) return { kind: "list", items: value.map(freeFormDocument) };
  return { kind: "object", members: sorted(Object.entries(value), freeFormDocument) };
}

function fieldDocument(field: DescField, value: unknown): Document {
  if (field.fieldKind === "list") {
    return { kind: "list", items: (value as unknown[]).map((item) => singleDocument(field, item)) };
  }
  if (field.fieldKind === "map") {
    const entries = Object.entries(value as Record<string, unknown>);
    return { kind: "object", members: sorted(entries, (item) => singleDocument(field, item)) };
  }
  return singleDocument(field, value);
}

function singleDocument(field: DescField, value: unknown): Document {
  if (field.enum) return enumDocument(field.enum, value as number);
  if (field.message) return messageDocument(field.message, value);
  // Not a message and not an enum, so a scalar, single or in a list or map.
  return scalarDocument("scalar" in field ? field.scalar : undefined, value);
}

function messageDocument(schema: DescMessage, value: unknown): Document {
  // A field of type Struct holds plain JSON in the generated types.
  if (schema.typeName === "google.protobuf.Struct") return freeFormDocument(value as JsonValue);
  const message = value as Message;
  return isWellKnown(schema) ? freeFormDocument(wellKnownJson(schema, message)) : toDocument(schema, message);
}

function wellKnownJson(schema: DescMessage, message: Message): JsonValue {
  // protobuf's JSON and ours are the same values under two type names.
  return toJson(schema, message) as ProtobufJson as JsonValue;
}

function enumDocument(schema: DescEnum, value: number): Document {
  const name = schema.value[value]?.name;
  return name === undefined ? { kind: "literal", text: String(value) } : { kind: "text", text: name };
}

function scalarDocument(scalar: ScalarType | undefined, value: unknown): Document {
  if (value instanceof Uint8Array) return { kind: "text", text: Buffer.from(value).toString("base64") };
  if (typeof value === "bigint") return { kind: "text", text: value.toString() };
  if (typeof value === "number") return { kind: "literal", text: numberText(scalar, value) };
  if (typeof value === "boolean") return { kind: "literal", text: String(value) };
  return { kind: "text", text: String(value) };
}

function numberText(scalar: ScalarType | undefined, value: number): string {
  if (scalar === ScalarType.DOUBLE) return spellDouble(value);
  return scalar === ScalarType.FLOAT ? spellFloat(value) : String(value);
}

function sorted<T>(entries: readonly (readonly [string, T])[], toValue: (value: T) => Document): readonly Member[] {
  return [...entries]
    .sort(([one], [other]) => compareCodePoints(one, other))
    .map(([key, value]) => [key, toValue(value)]);
}
