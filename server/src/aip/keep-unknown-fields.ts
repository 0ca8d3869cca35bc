import { type DescField, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { setUnknownFields, unknownFieldsOf } from "./unknown-fields.ts";
import { walkMessages } from "./walk-messages.ts";

/**
 * Gives the messages inside `after` the unknown fields of their counterparts in `before`, where they have none of their own: a client
 * replaces a nested message without knowing of them (PKG-30). Elements of lists are matched by content, then by their first text, which is their
 * name or reference, then by position in a list of the same length. Changes `after`, which must be the caller's own copy.
 */
export function keepUnknownFields(desc: DescMessage, before: Message, after: Message): void {
  let hasAny = false;
  walkMessages(desc, before, ({ message }) => {
    hasAny ||= unknownFieldsOf(message).length > 0;
  });
  if (hasAny) keep(reflect(desc, before), reflect(desc, after));
}

function keep(before: ReflectMessage, after: ReflectMessage): void {
  const known = unknownFieldsOf(before.message);
  if (known.length > 0 && unknownFieldsOf(after.message).length === 0) setUnknownFields(after.message, known);
  for (const field of after.desc.fields) {
    if (!field.message || field.message.typeName.startsWith("google.protobuf.")) continue;
    if (!after.isSet(field) || !before.isSet(field)) continue;
    for (const [one, other] of counterparts(field, before, after)) keep(one, other);
  }
}

type Pair = readonly [before: ReflectMessage, after: ReflectMessage];

function counterparts(field: DescField, before: ReflectMessage, after: ReflectMessage): readonly Pair[] {
  if (field.fieldKind === "message") return [[before.get(field), after.get(field)]];
  if (field.fieldKind === "list") {
    const elements = (message: ReflectMessage) => [...message.get(field)] as ReflectMessage[];
    return matched(elements(before), elements(after));
  }
  if (field.fieldKind !== "map") return [];
  const stored = before.get(field);
  return [...after.get(field)].flatMap(([key, value]) => {
    const other = stored.get(key);
    return other === undefined ? [] : [[other as ReflectMessage, value as ReflectMessage] as const];
  });
}

/** What makes two elements counterparts; undefined: the element has none of it. */
type ElementKey = (element: ReflectMessage, position: number) => string | number | undefined;

/** Each element of a list with its counterpart before, if it has one; no counterpart is used twice. Takes time linear in the lists. */
function matched(before: readonly ReflectMessage[], after: readonly ReflectMessage[]): readonly Pair[] {
  const byPlace: ElementKey = (_, position) => position;
  const keys: readonly ElementKey[] =
    before.length === after.length ? [content, firstText, byPlace] : [content, firstText];
  const pairs = new Map<ReflectMessage, ReflectMessage>();
  const used = new Set<ReflectMessage>();
  for (const keyOf of keys) {
    const free = Map.groupBy(
      before.entries().filter(([, element]) => !used.has(element)),
      ([position, element]) => keyOf(element, position),
    );
    for (const lists of free.values()) lists.reverse();
    for (const [position, element] of after.entries()) {
      const key = pairs.has(element) ? undefined : keyOf(element, position);
      const [, found] = (key === undefined ? undefined : free.get(key)?.pop()) ?? [];
      if (!found) continue;
      pairs.set(element, found);
      used.add(found);
    }
  }
  return [...pairs].map(([element, counterpart]) => [counterpart, element]);
}

/** Without unknown fields, which the counterpart in a request does not have. */
function content({ desc, message }: ReflectMessage): string {
  return Buffer.from(toBinary(desc, message, { writeUnknownFields: false })).toString("latin1");
}

function firstText(message: ReflectMessage): string | undefined {
  const field = message.sortedFields.find((each) => each.fieldKind === "scalar" && message.isSet(each));
  const value = field && message.get(field);
  return typeof value === "string" ? value : undefined;
}
