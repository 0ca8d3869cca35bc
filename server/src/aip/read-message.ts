import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonReadOptions,
  type Message,
} from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { invalidArgument } from "#status";
import { fieldValue } from "./field-value.ts";
import { definedPath, pathsOfMask } from "./mask-path.ts";
import { snakeCase } from "./snake-case.ts";

/**
 * Reads a message from JSON as protobuf's own reader does, but for masks, whose paths are read by the definitions of the messages beside them. Throws
 * INVALID_ARGUMENT for a path whose key could be another one; other errors are the reader's.
 */
export function readMessage(type: DescMessage, json: JsonValue, options: Partial<JsonReadOptions> = {}): Message {
  const masks = maskFieldsOf(type);
  if (masks.length === 0 || !isJsonObject(json)) return fromJson(type, json, options);
  const others = { ...json };
  const texts = masks.flatMap((mask) => {
    const key = keyOfMask(mask, json);
    if (key === undefined) return [];
    delete others[key];
    return [{ mask, text: json[key] as string }];
  });
  const message = fromJson(type, others, options);
  for (const { mask, text } of texts) setMask(message, mask, text);
  return message;
}

/** A mask of a message, and the messages beside it, in which its paths may begin. */
interface MaskField {
  readonly field: DescField;
  readonly roots: readonly (DescField & { readonly fieldKind: "message" })[];
}

const masks = new WeakMap<DescMessage, readonly MaskField[]>();

/** The masks that a message has beside what they apply to. Other masks have no definitions to be read by. */
export function maskFieldsOf(type: DescMessage): readonly MaskField[] {
  const known = masks.get(type);
  if (known) return known;
  const roots = type.fields.flatMap((field) =>
    field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.") ? [field] : [],
  );
  const found = roots.length === 0 ? [] : type.fields.filter(isFieldMask).map((field) => ({ field, roots }));
  masks.set(type, found);
  return found;
}

/** Whether a field is a `google.protobuf.FieldMask`. */
export function isFieldMask(field: DescField): boolean {
  return field.message?.typeName === FieldMaskSchema.typeName;
}

/** The only spelling of a mask's name in an object, where its value is a text. */
function keyOfMask({ field }: MaskField, object: JsonObject): string | undefined {
  const keys = [...new Set([field.name, field.jsonName])].filter((key) => Object.hasOwn(object, key));
  return keys.length === 1 && typeof object[keys[0] as string] === "string" ? keys[0] : undefined;
}

/**
 * Sets a mask from its text. protobuf's own reader writes every path in snake_case, keys of maps too, which would name other entries; here
 * only names of fields are, and keys where the message says that they are meant so (AIP-161, WIRE-44).
 */
function setMask(message: Message, { field, roots }: MaskField, text: string): void {
  const paths = pathsOfMask(text).map((path) => {
    const root = rootOf(path, roots);
    const defined = definedPath(root.message, path, fieldValue(message, root) as Message | undefined);
    if (defined === undefined) throw ambiguousKey(path, field);
    return defined;
  });
  Object.assign(message, { [field.localName]: create(FieldMaskSchema, { paths }) });
}

function ambiguousKey(path: string, { name }: DescField): Error {
  const key = path.slice(path.lastIndexOf(".") + 1);
  const description = `'${path}' means the key '${key}' or '${snakeCase(key)}', as proto3 JSON writes it, and the request has neither. Write the key in backticks.`;
  return invalidArgument({ field: name, description });
}

/** The field whose message has the first field of a path. */
function rootOf(path: string, roots: MaskField["roots"]): MaskField["roots"][number] {
  const [first = ""] = path.split(".", 1);
  const owner = roots.find(({ message }) =>
    message.fields.some(({ name, jsonName }) => name === first || jsonName === first),
  );
  return owner ?? (roots[0] as MaskField["roots"][number]);
}
