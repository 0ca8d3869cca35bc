import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/** Called for a message and every message inside it, parents first. `path` is the field path from the root, "" for the root. */
type VisitMessage = (message: ReflectMessage, path: string) => void;

/** Whether a field is one that a walk looks for. A constant of its module: what is known of types is cached by it. */
export type WantedField = (field: DescField) => boolean;

/**
 * Visits a message and all messages inside it. Well-known types (`google.protobuf.*`) are values and are not
 * entered. List elements are written `field[0]`, map entries `field["key"]`.
 *
 * @param wanted only messages whose types have such a field, here or deeper, are entered. Default all
 */
export function walkMessages(
  desc: DescMessage,
  message: Message,
  visit: VisitMessage,
  wanted: WantedField = ANY,
): void {
  walk(reflect(desc, message), "", visit, wanted);
}

/** The path of a field below a message's path. */
export function fieldPath(path: string, field: DescField): string {
  return path === "" ? field.name : `${path}.${field.name}`;
}

const ANY: WantedField = () => true;

function walk(message: ReflectMessage, path: string, visit: VisitMessage, wanted: WantedField): void {
  visit(message, path);
  for (const field of message.fields) {
    if (!leadsTo(field, wanted) || !message.isSet(field)) continue;
    const here = fieldPath(path, field);
    if (field.fieldKind === "message") walk(message.get(field), here, visit, wanted);
    else if (field.fieldKind === "list") {
      for (const [index, item] of message.get(field).entries())
        walk(item as ReflectMessage, `${here}[${index}]`, visit, wanted);
    } else if (field.fieldKind === "map") {
      for (const [key, item] of message.get(field))
        walk(item as ReflectMessage, `${here}["${String(key)}"]`, visit, wanted);
    }
  }
}

/** Whether a field holds messages whose types have a wanted field, themselves or deeper. */
export function leadsTo({ message }: DescField, wanted: WantedField): boolean {
  if (!message || isValue(message)) return false;
  const known = leading.get(wanted) ?? new WeakMap<DescMessage, boolean>();
  leading.set(wanted, known);
  let leads = known.get(message);
  if (leads === undefined) {
    leads = [...typesBelow(message)].some(({ fields }) => fields.some(wanted));
    known.set(message, leads);
  }
  return leads;
}

const leading = new WeakMap<WantedField, WeakMap<DescMessage, boolean>>();

/** A type and the types of all messages that it can hold. */
export function typesBelow(type: DescMessage): ReadonlySet<DescMessage> {
  const found = new Set([type]);
  // The set grows while it is read.
  for (const { fields } of found)
    for (const { message } of fields) if (message && !isValue(message)) found.add(message);
  return found;
}

function isValue({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}
