import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { shallowCopy } from "#aip";
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
 * A message with its strings rewritten, map keys and free-form structs excepted; it shares what stays as it is. A dropped string of a list is
 * removed from the list; a dropped single string removes its message when that is an element of a `droppable` list, and otherwise the
 * whole resource: the result is undefined.
 */
export function rewriteStrings<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  rewrite: RewriteString,
  droppable: (field: DescField) => boolean = () => false,
): MessageShape<Schema> | undefined {
  const rewritten = rewriteMessage(schema, message, "", { rewrite, droppable });
  // A message stays one of its type.
  return rewritten === DROP ? undefined : (rewritten as MessageShape<Schema>);
}

interface Rewriting {
  readonly rewrite: RewriteString;
  readonly droppable: (field: DescField) => boolean;
}

/** The same message where nothing in it changes. */
function rewriteMessage(
  schema: DescMessage,
  message: Message,
  path: string,
  rewriting: Rewriting,
): Message | typeof DROP {
  if (isWellKnown(schema)) return message;
  let copy: Message | undefined;
  for (const { field, value } of setFields(schema, message)) {
    const place = path === "" ? field.jsonName : `${path}.${field.jsonName}`;
    const result = rewriteField(field, value, place, rewriting);
    if (result === DROP) return DROP;
    if (result === value) continue;
    copy ??= shallowCopy(message);
    setField(copy, field, result);
  }
  return copy ?? message;
}

function setField(message: Message, { oneof, localName }: DescField, value: unknown): void {
  const record = message as unknown as Record<string, unknown>;
  if (oneof) record[oneof.localName] = { case: localName, value };
  else record[localName] = value;
}

function rewriteField(field: DescField, value: unknown, path: string, rewriting: Rewriting): unknown {
  if (field.fieldKind === "list") return rewriteList(field, value as readonly unknown[], path, rewriting);
  if (field.fieldKind === "map") return rewriteMap(field, value as Record<string, unknown>, path, rewriting);
  return rewriteSingle(field, value, path, rewriting);
}

function rewriteSingle(field: DescField, value: unknown, path: string, rewriting: Rewriting): unknown {
  if (field.message) return rewriteMessage(field.message, value as Message, path, rewriting);
  return typeof value === "string" ? (rewriting.rewrite({ field, value, path }) ?? value) : value;
}

/** Stops at the string that drops the whole: what comes after it is no longer asked for. */
function rewriteList(field: DescField, list: readonly unknown[], path: string, rewriting: Rewriting): unknown {
  if (!field.message && field.scalar !== ScalarType.STRING) return list;
  const kept: unknown[] = [];
  for (const [index, value] of list.entries()) {
    const result = rewriteSingle(field, value, `${path}[${index}]`, rewriting);
    if (result !== DROP) kept.push(result);
    else if (field.message && !rewriting.droppable(field)) return DROP;
  }
  return kept.length === list.length && kept.every((value, index) => value === list[index]) ? list : kept;
}

function rewriteMap(field: DescField, map: Record<string, unknown>, path: string, rewriting: Rewriting): unknown {
  if (!field.message) return map;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(map)) {
    const result = rewriteSingle(field, value, `${path}[${JSON.stringify(key)}]`, rewriting);
    if (result === DROP) return DROP;
    kept.push([key, result]);
  }
  return kept.every(([key, value]) => value === map[key]) ? map : Object.fromEntries(kept);
}
