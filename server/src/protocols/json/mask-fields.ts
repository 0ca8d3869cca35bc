import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { definedPath, pathsOfMask } from "#aip";
import type { JsonObject } from "#base";
import { isFieldMask } from "./fields.ts";

/** A mask of a message, and the types that its paths may begin in: those of the messages beside it. */
export interface MaskField {
  readonly field: DescField;
  readonly roots: readonly DescMessage[];
}

const masks = new WeakMap<DescMessage, readonly MaskField[]>();

/** The masks that a message has beside what they apply to. */
export function maskFieldsOf(type: DescMessage): readonly MaskField[] {
  const known = masks.get(type);
  if (known) return known;
  const roots = type.fields.flatMap(({ fieldKind, message }) =>
    fieldKind === "message" && !message.typeName.startsWith("google.protobuf.") ? [message] : [],
  );
  const found = roots.length === 0 ? [] : type.fields.filter(isFieldMask).map((field) => ({ field, roots }));
  masks.set(type, found);
  return found;
}

/** The only spelling of a mask's name in an object, where its value is a text. */
export function keyOfMask({ field }: MaskField, object: JsonObject): string | undefined {
  const keys = [...new Set([field.name, field.jsonName])].filter((key) => Object.hasOwn(object, key));
  return keys.length === 1 && typeof object[keys[0] as string] === "string" ? keys[0] : undefined;
}

/**
 * Sets a mask from its text. protobuf's own reader writes every path in snake_case, keys of maps too, which would name other entries; here
 * only names of fields are (AIP-161).
 */
export function setMask(message: Message, { field, roots }: MaskField, text: string): void {
  const paths = pathsOfMask(text).map((path) => definedPath(rootOf(path, roots), path));
  Object.assign(message, { [field.localName]: create(FieldMaskSchema, { paths: [...paths] }) });
}

/** The type that has the first field of a path. */
function rootOf(path: string, roots: readonly DescMessage[]): DescMessage {
  const [first = ""] = path.split(".", 1);
  const owner = roots.find(({ fields }) => fields.some(({ name, jsonName }) => name === first || jsonName === first));
  return owner ?? (roots[0] as DescMessage);
}
