import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  type JsonValue as ProtobufJson,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { unknownFieldsOf } from "#aip";
import type { JsonValue } from "#base";
import { isPackagedField } from "../field-tables.ts";
import { isWellKnown, setFields } from "../message-fields.ts";
import { formatDouble, formatFloat } from "./format-number.ts";
import { documentOfJson } from "./source-document.ts";

/**
 * The content of a manifest file: fields in their final order, numbers in their final format. JSON and YAML are two serialisations
 * of one document.
 */
export type Document =
  | { readonly kind: "text"; readonly text: string }
  /** A number, `true`, `false` or `null`, already formatted. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Document[] }
  | { readonly kind: "object"; readonly members: readonly Member[] };

export type Member = readonly [key: string, value: Document];

/** Orders strings by Unicode code point: JavaScript's own order differs beyond the basic plane. */
export function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"));
}

/**
 * A message as a manifest: fields in field-number order, map keys sorted by code point, without fields at their default, with messages
 * that are set but empty, without output-only fields (PKG-12, PKG-15), and with its unknown fields where the file had them (PKG-30).
 */
export function toDocument(schema: DescMessage, message: Message): Document {
  const known = setFields(schema, message)
    .filter(({ field }) => isPackagedField(field))
    .map(({ field, value }) => ({ key: field.jsonName, place: field.number, value: fieldDocument(field, value) }));
  const unknown = unknownFieldsOf(message)
    .filter(({ key, isEnvironment }) => !isEnvironment && !known.some((member) => member.key === key))
    .map(({ key, json, after }) => ({ key, place: after, value: documentOfJson(json) }));
  const members = [...known, ...unknown].sort((one, other) => one.place - other.place);
  return { kind: "object", members: members.map(({ key, value }) => [key, value]) };
}

/** A free-form value: keys sorted by code point, every number a double. */
export function freeFormDocument(value: JsonValue): Document {
  if (value === null || typeof value === "boolean") return { kind: "literal", text: String(value) };
  if (typeof value === "number") return { kind: "literal", text: formatDouble(value) };
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
  // A field of type Struct is plain JSON in the generated types.
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
  if (scalar === ScalarType.DOUBLE) return formatDouble(value);
  return scalar === ScalarType.FLOAT ? formatFloat(value) : String(value);
}

function sorted<T>(entries: readonly (readonly [string, T])[], toValue: (value: T) => Document): readonly Member[] {
  return [...entries]
    .sort(([one], [other]) => compareCodePoints(one, other))
    .map(([key, value]) => [key, toValue(value)]);
}
