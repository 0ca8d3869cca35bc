import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/** Called for a message and every message inside it, parents first. `path` is the field path from the root, "" for the root. */
type VisitMessage = (message: ReflectMessage, path: string) => void;

/**
 * Visits a message and all messages inside it. Well-known types (`google.protobuf.*`) are values and are not
 * entered. List elements are written `field[0]`, map entries `field["key"]`.
 */
export function walkMessages(desc: DescMessage, message: Message, visit: VisitMessage): void {
  walk(reflect(desc, message), "", visit);
}

/** The path of a field below a message's path. */
export function fieldPath(path: string, field: DescField): string {
  return path === "" ? field.name : `${path}.${field.name}`;
}

function walk(message: ReflectMessage, path: string, visit: VisitMessage): void {
  visit(message, path);
  for (const field of message.fields) {
    const below = field.message;
    if (!below || below.typeName.startsWith("google.protobuf.") || !message.isSet(field)) continue;
    const here = fieldPath(path, field);
    if (field.fieldKind === "message") walk(message.get(field), here, visit);
    else if (field.fieldKind === "list") {
      for (const [index, item] of message.get(field).entries())
        walk(item as ReflectMessage, `${here}[${index}]`, visit);
    } else if (field.fieldKind === "map") {
      for (const [key, item] of message.get(field)) walk(item as ReflectMessage, `${here}["${String(key)}"]`, visit);
    }
  }
}
