import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { fieldValue, shallowCopy } from "#aip";
import { createPauses, type JsonObject, type JsonValue } from "#base";
import { type FieldTree, selectFields, selectionOf } from "../fields/partial-response.ts";

/** How a message becomes text. */
interface JsonTextOptions {
  /** The JSON of a message. */
  readonly render: (type: DescMessage, message: Message) => JsonValue;
  /** The selected part; undefined: all of it. */
  readonly fields: FieldTree | undefined;
  readonly pretty: boolean;
}

/** Elements of a list from which a message is rendered in pieces. */
const LONG_LIST = 50;

/**
 * A message as JSON text. Other calls run while one with long lists is rendered: a page of resources, or a version, which is a whole app,
 * takes a tenth of a second.
 */
export async function jsonText(type: DescMessage, message: Message, options: JsonTextOptions): Promise<string> {
  const tree = options.fields ?? {};
  if (longFields(type, message).length === 0)
    return valueText(selectFields(options.render(type, message), tree), options.pretty);
  return textOf(reflect(type, message), tree, { ...options, pause: createPauses() });
}

interface Writing extends JsonTextOptions {
  readonly pause: () => Promise<void> | undefined;
}

async function textOf(message: ReflectMessage, tree: FieldTree, writing: Writing): Promise<string> {
  const long = longFields(message.desc, message.message);
  if (long.length === 0)
    return valueText(selectFields(writing.render(message.desc, message.message), tree), writing.pretty);
  const rest = reflect(message.desc, shallowCopy(message.message));
  for (const field of long) rest.clear(field);
  const others = selectFields(writing.render(message.desc, rest.message), tree) as JsonObject;
  const members: string[] = [];
  for (const field of message.sortedFields) {
    const name = field.jsonName;
    const selected = selectionOf(tree, name);
    // Looked for first: the rendering of the others may have an empty list in its place.
    if (long.includes(field)) {
      if (selected) members.push(member(name, await longText(field, message, selected, writing), writing));
    } else if (Object.hasOwn(others, name))
      members.push(member(name, valueText(others[name] ?? null, writing.pretty), writing));
  }
  return enclosed("{", members, "}", writing);
}

/** The fields with a long list, in them or in their message. Lists in elements of lists are not looked for. */
function longFields(type: DescMessage, message: Message): readonly DescField[] {
  return messageFields(type).filter((field) => isLong(field, message));
}

function isLong(field: DescField, message: Message): boolean {
  const value = fieldValue(message, field);
  if (field.fieldKind === "list") return Array.isArray(value) && value.length > LONG_LIST;
  const { message: type } = field;
  return (
    type !== undefined && value !== undefined && messageFields(type).some((inner) => isLong(inner, value as Message))
  );
}

const fieldsOfTypes = new WeakMap<DescMessage, readonly DescField[]>();

/** The fields of a type that hold messages, but for maps and well-known types. */
function messageFields(type: DescMessage): readonly DescField[] {
  const known = fieldsOfTypes.get(type);
  if (known) return known;
  const fields = type.fields.filter(
    ({ message, fieldKind }) => message && fieldKind !== "map" && !message.typeName.startsWith("google.protobuf."),
  );
  fieldsOfTypes.set(type, fields);
  return fields;
}

async function longText(field: DescField, message: ReflectMessage, tree: FieldTree, writing: Writing): Promise<string> {
  if (field.fieldKind === "message") return textOf(message.get(field), tree, writing);
  const items: string[] = [];
  if (field.fieldKind === "list")
    for (const item of message.get(field)) {
      items.push(await textOf(item as ReflectMessage, tree, writing));
      await writing.pause();
    }
  return enclosed("[", items, "]", writing);
}

function member(name: string, text: string, { pretty }: Writing): string {
  return `${JSON.stringify(name)}:${pretty ? " " : ""}${text}`;
}

function valueText(value: JsonValue, pretty: boolean): string {
  return JSON.stringify(value, null, pretty ? 2 : 0);
}

function enclosed(open: string, parts: readonly string[], close: string, { pretty }: Writing): string {
  if (parts.length === 0) return open + close;
  if (!pretty) return `${open}${parts.join(",")}${close}`;
  return `${open}\n  ${parts.map((part) => part.replaceAll("\n", "\n  ")).join(",\n  ")}\n${close}`;
}
