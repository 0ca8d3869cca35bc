import { type DescField, type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import type { FieldViolation } from "#status";
import { behaviorsOf, FieldBehavior } from "./annotations.ts";
import { fieldValue } from "./field-value.ts";
import { leadsTo, type WantedField } from "./walk-messages.ts";

/** Which REQUIRED fields are looked for. A constant of its module: what is known of types is cached by it. */
export interface RequiredCheck {
  /** Messages are entered through these fields. Default none: only the message's own fields are checked. */
  readonly enters?: WantedField;
  /** Required fields that may be missing. Default none. */
  readonly exempt?: WantedField;
}

const OWN_FIELDS: RequiredCheck = {};

/**
 * All REQUIRED fields that are missing (AIP-203). A proto3 scalar at its zero value counts as missing; a member of a oneof does
 * only when no member of the oneof is set.
 */
export function missingRequired(
  desc: DescMessage,
  message: Message,
  rules: RequiredCheck = OWN_FIELDS,
): readonly FieldViolation[] {
  const found: FieldViolation[] = [];
  check(message, desc, undefined, { rules, found });
  return found;
}

/** The way to a message, put together only where something is missing: a message may have 50,000 inside it. */
interface Way {
  readonly above: Way | undefined;
  readonly field: DescField;
  /** Position in a list, key of a map. */
  readonly key?: number | string;
}

interface Search {
  readonly rules: RequiredCheck;
  readonly found: FieldViolation[];
}

function check(message: Message, desc: DescMessage, way: Way | undefined, search: Search): void {
  for (const { field, isWanted, isEntered } of fieldsOf(desc, search.rules)) {
    if (isWanted && !isSet(message, field))
      search.found.push({ field: pathOf(field, way), description: "Required field is not set." });
    const value = isEntered ? fieldValue(message, field) : undefined;
    if (!field.message || value === undefined) continue;
    if (field.fieldKind === "message") check(value as Message, field.message, { above: way, field }, search);
    else for (const [key, item] of entriesOf(value)) check(item, field.message, { above: way, field, key }, search);
  }
}

function isSet(message: Message, field: DescField): boolean {
  return field.oneof?.fields.some((member) => isFieldSet(message, member)) ?? isFieldSet(message, field);
}

function entriesOf(value: unknown): Iterable<readonly [number | string, Message]> {
  return Array.isArray(value) ? (value as Message[]).entries() : Object.entries(value as Record<string, Message>);
}

function pathOf(field: DescField, way: Way | undefined): string {
  const steps = [field.name];
  for (let at = way; at; at = at.above) {
    const key = at.key === undefined ? "" : typeof at.key === "number" ? `[${at.key}]` : `["${at.key}"]`;
    steps.unshift(at.field.name + key);
  }
  return steps.join(".");
}

/** A field of a type that matters: it must be set, or holds messages with fields that must be. */
interface CheckedField {
  readonly field: DescField;
  readonly isWanted: boolean;
  readonly isEntered: boolean;
}

function fieldsOf(desc: DescMessage, rules: RequiredCheck): readonly CheckedField[] {
  const known = checked.get(rules) ?? new WeakMap<DescMessage, readonly CheckedField[]>();
  checked.set(rules, known);
  const fields =
    known.get(desc) ??
    desc.fields
      .map((field) => ({
        field,
        isWanted: isRequired(field) && !rules.exempt?.(field),
        isEntered: rules.enters?.(field) === true && leadsTo(field, isRequired),
      }))
      .filter(({ isWanted, isEntered }) => isWanted || isEntered);
  known.set(desc, fields);
  return fields;
}

const checked = new WeakMap<RequiredCheck, WeakMap<DescMessage, readonly CheckedField[]>>();

function isRequired(field: DescField): boolean {
  return behaviorsOf(field).has(FieldBehavior.REQUIRED);
}
