import { type DescField, type DescMessage, fromJson, isMessage, type Message, toJson } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { fieldValue, shallowCopy } from "#aip";
import type { JsonValue } from "#base";
import { type FieldTree, parseFields, selectFields, selectionOf } from "./partial-response.ts";

/** Messages that are JSON of any shape, whose names are those of its members. */
const JSON_TYPES = /^google\.protobuf\.(Struct|Value|ListValue)$/;

/** The system parameter that selects fields of responses, as a header or as metadata of gRPC (WIRE-56). */
const HEADER = "x-goog-fieldmask";

/** Cuts the responses of a call to what its caller selects; undefined: the caller gets all. Throws INVALID_ARGUMENT. */
export function responseSelection(
  headers: ReadonlyMap<string, string>,
  type: DescMessage,
): ((message: Message) => Message) | undefined {
  const text = headers.get(HEADER);
  return text ? selectionFrom(text, type) : undefined;
}

/** Cuts messages of a type to what a text selects. Throws INVALID_ARGUMENT. */
export function selectionFrom(text: string, type: DescMessage): (message: Message) => Message {
  const tree = parseFields(text, type);
  return (message) => selectMessage(type, message, tree);
}

/** The selected part of a message, as `selectFields` has it of JSON. The message itself is not changed: it may be somebody else's. */
function selectMessage(type: DescMessage, message: Message, tree: FieldTree): Message {
  // What an Any holds is bytes here.
  if (isWhole(tree) || type.typeName === "google.protobuf.Any") return message;
  if (JSON_TYPES.test(type.typeName)) return fromJson(type, selectFields(toJson(type, message), tree));
  const selected = reflect(type, shallowCopy(message));
  for (const field of type.fields) {
    if (!selected.isSet(field)) continue;
    const inner = selectionOf(tree, field.jsonName);
    if (!inner) selected.clear(field);
    else if (!isWhole(inner)) setValue(selected.message, field, selectIn(field, fieldValue(message, field), inner));
  }
  return selected.message;
}

function isWhole(tree: FieldTree): boolean {
  return Object.keys(tree).length === 0;
}

/** The selected part of a field's value. */
function selectIn({ fieldKind, message: type }: DescField, value: unknown, tree: FieldTree): unknown {
  if (fieldKind === "list") return (value as readonly unknown[]).map((item) => selectItem(type, item, tree));
  if (fieldKind !== "map") return selectItem(type, value, tree);
  const entries = Object.entries(value as object).flatMap(([key, item]): [string, unknown][] => {
    const inner = selectionOf(tree, key);
    return inner ? [[key, selectItem(type, item, inner)]] : [];
  });
  return Object.fromEntries(entries);
}

function selectItem(type: DescMessage | undefined, item: unknown, tree: FieldTree): unknown {
  if (!type || isWhole(tree)) return item;
  // A Struct that is a field is an object of JSON.
  return isMessage(item) ? selectMessage(type, item, tree) : selectFields(item as JsonValue, tree);
}

function setValue(message: Message, { oneof, localName }: DescField, value: unknown): void {
  Object.assign(message, oneof ? { [oneof.localName]: { case: localName, value } } : { [localName]: value });
}
