import { clone, type DescField, type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { FieldViolation } from "#status";
import { behaviorsOf, FieldBehavior } from "./annotations.ts";
import { fieldPath, walkMessages } from "./walk-messages.ts";

/**
 * Whether clients may not set a field (AIP-203 OUTPUT_ONLY). `etag` is exempt: some resources mark it so although it is the
 * concurrency token of updates (AIP-154).
 */
export function isOutputOnly(field: DescField): boolean {
  return behaviorsOf(field).has(FieldBehavior.OUTPUT_ONLY) && field.name !== "etag";
}

/** A copy without output-only fields at any depth. The etag stays. */
export function withoutOutputOnly<M extends Message>(desc: DescMessage, message: M): M {
  return withoutFields(desc, message, isOutputOnly);
}

/** A copy without input-only fields at any depth: the form that is stored and returned. */
export function withoutInputOnly<M extends Message>(desc: DescMessage, message: M): M {
  return withoutFields(desc, message, (field) => behaviorsOf(field).has(FieldBehavior.INPUT_ONLY));
}

function withoutFields<M extends Message>(desc: DescMessage, message: M, drop: (field: DescField) => boolean): M {
  const copy = clone(desc, message) as M;
  walkMessages(desc, copy, (found) => {
    for (const field of found.fields) if (drop(field) && found.isSet(field)) found.clear(field);
  });
  return copy;
}

interface RequiredOptions {
  /** Checks nested messages too, each only when it is present. Default false. */
  readonly deep?: boolean;
  /** Required fields that may be missing. */
  readonly exempt?: (field: DescField) => boolean;
}

/**
 * All REQUIRED fields that are missing (AIP-203). A proto3 scalar at its zero value counts as missing; a member of a oneof does
 * only when no member of the oneof is set.
 */
export function missingRequired(
  desc: DescMessage,
  message: Message,
  options: RequiredOptions = {},
): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const check = (found: ReflectMessage, path: string) => {
    for (const field of found.fields) {
      if (!behaviorsOf(field).has(FieldBehavior.REQUIRED) || found.isSet(field) || options.exempt?.(field)) continue;
      if (field.oneof && found.oneofCase(field.oneof)) continue;
      violations.push({ field: fieldPath(path, field), description: "This field is required." });
    }
  };
  if (options.deep) walkMessages(desc, message, check);
  else check(reflect(desc, message), "");
  return violations;
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
  const copy = reflect(desc, clone(desc, message.message));
  for (const other of desc.fields) if (other !== field) copy.clear(other);
  return copy.message;
}
