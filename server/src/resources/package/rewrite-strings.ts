import { clone, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { isWellKnown, setFields } from "./message-fields.ts";

/** A string of a resource and its place. */
export interface StringPlace {
  readonly field: DescField;
  readonly value: string;
  /** Path from the resource in camelCase, e.g. `transferRules[0].childAgent`. */
  readonly path: string;
}

/** Removes the string from its list, or with the message that it belongs to. */
export const DROP = Symbol("drop");

/** The new value of a string; undefined keeps the old one. */
type RewriteString = (place: StringPlace) => string | typeof DROP | undefined;

/**
 * A copy of a message with its strings rewritten, map keys and free-form structs excepted. A dropped string of a list is
 * removed from the list; a dropped single string removes its message when that is an element of a `droppable` list, and otherwise the
 * whole resource: the result is undefined.
 */
export function rewriteStrings<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  rewrite: RewriteString,
  droppable: (field: DescField) => boolean = () => false,
): MessageShape<Schema> | undefined {
  const copy = clone(schema, message);
  return rewriteMessage(schema, copy, "", { rewrite, droppable }) ? copy : undefined;
}

interface Rewriting {
  readonly rewrite: RewriteString;
  readonly droppable: (field: DescField) => boolean;
}

/** Rewrites in place; false when the message must be dropped. */
function rewriteMessage(schema: DescMessage, message: Message, path: string, rewriting: Rewriting): boolean {
  if (isWellKnown(schema)) return true;
  return setFields(schema, message).every(({ field, value }) => {
    const place = path === "" ? field.jsonName : `${path}.${field.jsonName}`;
    if (field.fieldKind === "list") return rewriteList(field, value as unknown[], place, rewriting);
    if (field.fieldKind === "map") return rewriteMap(field, value as Record<string, unknown>, place, rewriting);
    if (field.message) return rewriteMessage(field.message, value as Message, place, rewriting);
    return typeof value !== "string" || rewriteSingle(message, field, value, place, rewriting);
  });
}

function rewriteSingle(
  message: Message,
  field: DescField,
  value: string,
  path: string,
  { rewrite }: Rewriting,
): boolean {
  const result = rewrite({ field, value, path });
  if (result === DROP) return false;
  if (result === undefined) return true;
  const record = message as unknown as Record<string, unknown>;
  if (field.oneof) record[field.oneof.localName] = { case: field.localName, value: result };
  else record[field.localName] = result;
  return true;
}

function rewriteList(field: DescField, list: unknown[], path: string, rewriting: Rewriting): boolean {
  const kept: unknown[] = [];
  for (const [index, value] of list.entries()) {
    const place = `${path}[${index}]`;
    if (typeof value === "string") {
      const result = rewriting.rewrite({ field, value, path: place });
      if (result !== DROP) kept.push(result ?? value);
    } else if (!field.message || rewriteMessage(field.message, value as Message, place, rewriting)) {
      kept.push(value);
    } else if (!rewriting.droppable(field)) return false;
  }
  list.length = 0;
  for (const value of kept) list.push(value);
  return true;
}

function rewriteMap(field: DescField, map: Record<string, unknown>, path: string, rewriting: Rewriting): boolean {
  const { message } = field;
  if (!message) return true;
  return Object.entries(map).every(([key, value]) =>
    rewriteMessage(message, value as Message, `${path}[${JSON.stringify(key)}]`, rewriting),
  );
}
