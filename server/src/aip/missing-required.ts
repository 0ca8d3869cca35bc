import { type DescField, type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import type { FieldViolation } from "#status";
import { behaviorsOf, FieldBehavior } from "./annotations.ts";
import { leadsTo } from "./walk-messages.ts";

interface RequiredOptions {
  /** Checks nested messages too, each only when it is present. Default false. */
  readonly deep?: boolean;
  /** Required fields that may be missing. A constant of its module: what is known of types is cached by it. */
  readonly exempt?: Exempt;
}

type Exempt = (field: DescField) => boolean;

const NONE: Exempt = () => false;

/**
 * All REQUIRED fields that are missing (AIP-203). A proto3 scalar at its zero value counts as missing; a member of a oneof does
 * only when no member of the oneof is set.
 */
export function missingRequired(
  desc: DescMessage,
  message: Message,
  { deep = false, exempt = NONE }: RequiredOptions = {},
): readonly FieldViolation[] {
  const found: FieldViolation[] = [];
  check(message, desc, undefined, { deep, exempt, found });
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
  readonly deep: boolean;
  readonly exempt: Exempt;
  readonly found: FieldViolation[];
}

function check(message: Message, desc: DescMessage, way: Way | undefined, search: Search): void {
  const { required, nested } = fieldsOf(desc, search.exempt);
  for (const field of required) {
    if (isFieldSet(message, field)) continue;
    if (field.oneof && valueOfMember<{ readonly case?: string }>(message, field.oneof.localName).case) continue;
    search.found.push({ field: pathOf(field, way), description: "This field is required." });
  }
  if (!search.deep) return;
  for (const field of nested) {
    const type = field.message;
    if (!type || !isFieldSet(message, field)) continue;
    const value = memberOf(message, field);
    if (field.fieldKind === "message") check(value as Message, type, { above: way, field }, search);
    else for (const [key, item] of entriesOf(value)) check(item, type, { above: way, field, key }, search);
  }
}

function memberOf(message: Message, { oneof, localName }: DescField): unknown {
  return oneof
    ? valueOfMember<{ readonly value?: unknown }>(message, oneof.localName).value
    : valueOfMember(message, localName);
}

function valueOfMember<T>(message: Message, localName: string): T {
  return (message as unknown as Record<string, unknown>)[localName] as T;
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

/** The fields of a type that matter: those that must be set, and those that hold messages with such fields. */
interface CheckedFields {
  readonly required: readonly DescField[];
  readonly nested: readonly DescField[];
}

function fieldsOf(desc: DescMessage, exempt: Exempt): CheckedFields {
  const known = checked.get(exempt) ?? new WeakMap<DescMessage, CheckedFields>();
  checked.set(exempt, known);
  const fields = known.get(desc) ?? {
    required: desc.fields.filter((field) => isRequired(field) && !exempt(field)),
    nested: desc.fields.filter((field) => leadsTo(field, isRequired)),
  };
  known.set(desc, fields);
  return fields;
}

const checked = new WeakMap<Exempt, WeakMap<DescMessage, CheckedFields>>();

function isRequired(field: DescField): boolean {
  return behaviorsOf(field).has(FieldBehavior.REQUIRED);
}
