import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { behaviorsOf, FieldBehavior } from "#aip";
import { cell, code, linkTo, paragraphs, prose, table } from "./markdown.ts";

/** Where each type is described, and what the definitions say. */
export interface Types {
  readonly pageOf: ReadonlyMap<DescMessage | DescEnum, string>;
  readonly comments: ReadonlyMap<string, string>;
}

const BEHAVIORS: readonly (readonly [FieldBehavior, string])[] = [
  [FieldBehavior.REQUIRED, "required"],
  [FieldBehavior.OUTPUT_ONLY, "only in answers"],
  [FieldBehavior.INPUT_ONLY, "only in requests"],
  [FieldBehavior.IMMUTABLE, "cannot be changed"],
];

/** How messages of proto3 JSON are written that are not objects of their fields. */
const IN_JSON: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "time, RFC 3339",
  "google.protobuf.Duration": "duration in seconds, e.g. `30s`",
  "google.protobuf.FieldMask": "paths, separated by commas",
  "google.protobuf.Struct": "object",
  "google.protobuf.Value": "any value",
  "google.protobuf.ListValue": "list of any values",
  "google.protobuf.Any": "object with `@type`",
  "google.protobuf.Empty": "empty object",
};

/** The section of a message: what it is, and its fields. */
export function messageSection(message: DescMessage, page: string, types: Types): string {
  return paragraphs(
    `## ${shortName(message)}`,
    prose(types.comments.get(message.typeName) ?? ""),
    fieldTable(message, page, types) || "It has no fields.",
  ).trim();
}

/** The section of an enum: its values. */
export function enumSection(type: DescEnum, comments: ReadonlyMap<string, string>): string {
  const rows = type.values.map(({ name }) => [code(name), cell(comments.get(`${type.typeName}.${name}`) ?? "")]);
  return paragraphs(
    `## ${shortName(type)}`,
    prose(comments.get(type.typeName) ?? ""),
    table(["value", "meaning"], rows),
  ).trim();
}

/** The fields of a message as they are in JSON. */
export function fieldTable(message: DescMessage, page: string, types: Types): string {
  const rows = message.fields.map((field) => [
    code(field.jsonName),
    [typeOf(field, page, types), ...wordsOf(field)].join(", "),
    cell(textOf(field, types.comments)),
  ]);
  return table(["field", "type", "meaning"], rows);
}

function textOf(field: DescField, comments: ReadonlyMap<string, string>): string {
  const text = comments.get(`${field.parent.typeName}.${field.name}`) ?? "";
  return text.replace(/^(Required|Optional|Output only|Input only|Immutable|Identifier)\.\s*/i, "");
}

function wordsOf(field: DescField): readonly string[] {
  const behaviors = behaviorsOf(field);
  const others = field.oneof?.fields.filter((other) => other !== field).map(({ jsonName }) => code(jsonName)) ?? [];
  return [
    ...BEHAVIORS.flatMap(([behavior, word]) => (behaviors.has(behavior) ? [word] : [])),
    ...(others.length > 0 ? [`instead of ${others.join(" or ")}`] : []),
    ...(field.deprecated ? ["deprecated"] : []),
  ];
}

function typeOf(field: DescField, page: string, types: Types): string {
  const one = singleType(field, page, types);
  if (field.fieldKind === "list") return `list of ${one}`;
  return field.fieldKind === "map" ? `object of ${one} by ${ScalarType[field.mapKey].toLowerCase()}` : one;
}

function singleType({ message, enum: choices, scalar }: DescField, page: string, { pageOf }: Types): string {
  const type = message ?? choices;
  if (!type) return scalar === undefined ? "" : ScalarType[scalar].toLowerCase();
  const known = IN_JSON[type.typeName];
  if (known !== undefined) return known;
  const place = pageOf.get(type);
  if (place === undefined) return code(type.typeName);
  const anchor = shortName(type).toLowerCase().replaceAll(".", "");
  return `[${shortName(type)}](${place === page ? `#${anchor}` : linkTo(page, place, anchor)})`;
}

/** The name below its package, as headings and links have it. */
export function shortName({ typeName, file }: DescMessage | DescEnum): string {
  return typeName.slice(file.proto.package === "" ? 0 : file.proto.package.length + 1);
}
