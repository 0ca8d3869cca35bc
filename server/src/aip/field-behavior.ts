import { create, type DescField, type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { FieldViolation } from "#status";
import { behaviorsOf, FieldBehavior } from "./annotations.ts";
import { leadsTo, type WantedField } from "./walk-messages.ts";

/**
 * Whether clients may not set a field (AIP-203 OUTPUT_ONLY). `etag` is exempt: some resources mark it so although it is the
 * concurrency token of updates (AIP-154).
 */
export function isOutputOnly(field: DescField): boolean {
  return behaviorsOf(field).has(FieldBehavior.OUTPUT_ONLY) && field.name !== "etag";
}

/** A copy without output-only fields at any depth, which shares what it leaves unchanged. The etag stays. */
export function withoutOutputOnly<M extends Message>(desc: DescMessage, message: M): M {
  return withoutFields(reflect(desc, message), isOutputOnly) as M;
}

/** A copy without input-only fields at any depth: the form that is stored and returned. It shares what it leaves unchanged. */
export function withoutInputOnly<M extends Message>(desc: DescMessage, message: M): M {
  return withoutFields(reflect(desc, message), isInputOnly) as M;
}

function isInputOnly(field: DescField): boolean {
  return behaviorsOf(field).has(FieldBehavior.INPUT_ONLY);
}

/** A copy of a message that shares its values. */
export function shallowCopy<M extends Message>(message: M): M {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message) as M;
}

function withoutFields(message: ReflectMessage, drop: WantedField): Message {
  const copy = shallowCopy(message.message);
  const changed = reflect(message.desc, copy);
  const values = copy as unknown as Record<string, unknown>;
  for (const field of message.fields) {
    if (drop(field)) {
      if (message.isSet(field)) changed.clear(field);
    } else if (leadsTo(field, drop) && message.isSet(field)) {
      // Lists and maps are replaced: the copy shares those of the original.
      if (field.fieldKind === "message")
        changed.set(field, reflect(field.message, withoutFields(message.get(field), drop)));
      else if (field.fieldKind === "list")
        values[field.localName] = [...message.get(field)].map((item) => withoutFields(item as ReflectMessage, drop));
      else if (field.fieldKind === "map")
        values[field.localName] = Object.fromEntries(
          [...message.get(field)].map(([key, item]) => [key, withoutFields(item as ReflectMessage, drop)]),
        );
    }
  }
  return copy;
}

/** IMMUTABLE fields that differ between the stored message and the one to be stored (AIP-203). */
export function changedImmutable(desc: DescMessage, before: Message, after: Message): readonly FieldViolation[] {
  const [was, is] = [reflect(desc, before), reflect(desc, after)];
  return desc.fields
    .filter((field) => behaviorsOf(field).has(FieldBehavior.IMMUTABLE) && !sameField(desc, was, is, field))
    .map((field) => ({ field: field.name, description: "This field cannot be changed after creation." }));
}

function sameField(desc: DescMessage, was: ReflectMessage, is: ReflectMessage, field: DescField): boolean {
  return equals(desc, onlyField(desc, was, field), onlyField(desc, is, field));
}

function onlyField(desc: DescMessage, message: ReflectMessage, field: DescField): Message {
  const copy = reflect(desc, create(desc));
  if (message.isSet(field)) copy.set(field, message.get(field));
  return copy.message;
}
