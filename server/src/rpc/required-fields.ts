import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { classifyMethod } from "#aip";
import type { FieldViolation } from "#status";
import { REQUIRED_EXEMPTIONS, UNCHECKED_INSIDE } from "./required-exemptions.ts";

/** Returns the REQUIRED fields that a request to a method lacks. */
type RequiredFields = (method: DescMethod, request: Message) => readonly FieldViolation[];

/** Adds the paths of missing fields. */
type Checker = (message: Message, path: string, missing: string[]) => void;

/**
 * The REQUIRED fields that a request lacks, by their proto paths. Nested messages count where they are set; output-only
 * fields do not. Numbers and booleans have no empty value and are never missing. The fields of the resource of a standard create or
 * update are left to the room `resources`, which reports them together with all its other violations. Checks are compiled on first
 * use of a type.
 */
export function createRequiredFields(): RequiredFields {
  const checkers = new Map<DescMessage, Checker>();

  const checkerOf = (type: DescMessage): Checker => {
    const known = checkers.get(type);
    if (known) return known;
    let steps: readonly Checker[] = [];
    const check: Checker = (message, path, missing) => {
      for (const step of steps) step(message, path, missing);
    };
    // Before its fields, because message types may contain themselves.
    checkers.set(type, check);
    steps = type.fields
      .filter((field) => !isOutputOnly(field))
      .flatMap((field) => [presenceCheck(field), nestedCheck(field, checkerOf)].filter((step) => step !== undefined));
    return check;
  };

  return (method, request) => {
    const paths: string[] = [];
    checkerOf(method.input)(request, "", paths);
    if (paths.length === 0) return [];
    const resource = resourceFieldOf(method);
    const own = resource ? paths.filter((path) => !path.startsWith(`${resource.name}.`)) : paths;
    return own.map((field) => ({ field, description: "Required field is not set." }));
  };
}

function resourceFieldOf(method: DescMethod): DescField | undefined {
  const standard = classifyMethod(method);
  return standard?.kind === "create" || standard?.kind === "update" ? standard.body : undefined;
}

function presenceCheck(field: DescField): Checker | undefined {
  const isEmpty = emptinessOf(field);
  if (
    !isEmpty ||
    !isRequired(field) ||
    field.oneof ||
    REQUIRED_EXEMPTIONS.has(`${field.parent.typeName}.${field.name}`)
  )
    return undefined;
  return (message, path, missing) => {
    if (isEmpty(member(message, field.localName))) missing.push(path + field.name);
  };
}

/** Whether a field's value counts as absent; undefined for fields whose empty value is a value. */
function emptinessOf(field: DescField): ((value: unknown) => boolean) | undefined {
  switch (field.fieldKind) {
    case "message":
      return (value) => value === undefined;
    case "enum":
      return (value) => value === undefined || value === 0;
    case "list":
      return (value) => (value as readonly unknown[]).length === 0;
    case "map":
      return (value) => Object.keys(value as object).length === 0;
    case "scalar":
      if (field.scalar === ScalarType.STRING) return (value) => value === undefined || value === "";
      if (field.scalar === ScalarType.BYTES)
        return (value) => value === undefined || (value as Uint8Array).length === 0;
      return undefined;
  }
}

function nestedCheck(field: DescField, checkerOf: (type: DescMessage) => Checker): Checker | undefined {
  const type = field.message;
  if (!type || UNCHECKED_INSIDE.has(`${field.parent.typeName}.${field.name}`) || !holdsRequired(type)) return undefined;
  const { name, localName, oneof } = field;
  if (oneof) {
    return (message, path, missing) => {
      const choice = member<{ readonly case?: string; readonly value?: Message }>(message, oneof.localName);
      if (choice.case === localName && choice.value) checkerOf(type)(choice.value, `${path}${name}.`, missing);
    };
  }
  if (field.fieldKind === "list") {
    return (message, path, missing) => {
      const items = member<readonly Message[]>(message, localName);
      for (const [index, item] of items.entries()) checkerOf(type)(item, `${path}${name}[${index}].`, missing);
    };
  }
  if (field.fieldKind === "map") {
    return (message, path, missing) => {
      const items = member<Readonly<Record<string, Message>>>(message, localName);
      for (const [key, item] of Object.entries(items)) checkerOf(type)(item, `${path}${name}[${key}].`, missing);
    };
  }
  return (message, path, missing) => {
    const value = member<Message | undefined>(message, localName);
    if (value) checkerOf(type)(value, `${path}${name}.`, missing);
  };
}

/** Whether a message type, or one that it contains, has REQUIRED fields at all. */
function holdsRequired(type: DescMessage): boolean {
  const seen = new Set([type]);
  for (const message of seen) {
    for (const field of message.fields) {
      if (isOutputOnly(field)) continue;
      if (isRequired(field)) return true;
      if (field.message) seen.add(field.message);
    }
  }
  return false;
}

function isRequired(field: DescField): boolean {
  return getOption(field, field_behavior).includes(FieldBehavior.REQUIRED);
}

function isOutputOnly(field: DescField): boolean {
  return getOption(field, field_behavior).includes(FieldBehavior.OUTPUT_ONLY);
}

function member<T>(message: Message, localName: string): T {
  return (message as unknown as Record<string, unknown>)[localName] as T;
}
