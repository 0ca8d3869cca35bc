import type { DescMessage, Message } from "@bufbuild/protobuf";

/** How deep the name may be: `config.session`. */
const DEPTH = 2;

/**
 * The first name of a resource in a response: fields in their order, those of messages within after them; "" for none. Not for requests: their
 * callers would choose what is found.
 */
export function resourceNameIn(desc: DescMessage, message: Message, depth = DEPTH): string {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  for (const { fieldKind, localName } of desc.fields) {
    const value = fieldKind === "scalar" ? values[localName] : undefined;
    if (typeof value === "string" && value.startsWith("projects/")) return value;
  }
  if (depth <= 1) return "";
  for (const field of desc.fields) {
    const within = field.fieldKind === "message" && !field.oneof ? values[field.localName] : undefined;
    const found = within && field.message ? resourceNameIn(field.message, within as Message, depth - 1) : "";
    if (found) return found;
  }
  return "";
}
