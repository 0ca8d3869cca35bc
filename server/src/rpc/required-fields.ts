import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { classifyMethod, shallowCopy } from "#aip";
import type { FieldViolation } from "#status";
import { REQUIRED_EXEMPTIONS, UNCHECKED_INSIDE } from "./required-exemptions.ts";

/** Returns the REQUIRED fields that a request to a method lacks. */
type RequiredFields = (method: DescMethod, request: Message) => readonly FieldViolation[];

/** Adds the paths of missing fields. */
type Checker = (message: Message, way: Way | undefined, missing: string[]) => void;

/** The way to a message, put together only where a field is missing: a message may have 50,000 inside it. */
interface Way {
  readonly above: Way | undefined;
  readonly name: string;
  /** Position in a list, key of a map. */
  readonly key?: number | string;
}

function pathOf(name: string, way: Way | undefined): string {
  const steps = [name];
  for (let at = way; at; at = at.above) steps.unshift(at.key === undefined ? at.name : `${at.name}[${at.key}]`);
  return steps.join(".");
}

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
    const check: Checker = (message, way, missing) => {
      for (const step of steps) step(message, way, missing);
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
    const resource = resourceFieldOf(method);
    checkerOf(method.input)(withoutContent(request, resource), undefined, paths);
    if (paths.length === 0) return [];
    const own = resource ? paths.filter((path) => !path.startsWith(`${resource.name}.`)) : paths;
    return own.map((field) => ({ field, description: "Required field is not set." }));
  };
}

/** The request with an empty message in a field that is set: what would be found inside it is not told, and looking for it takes time. */
function withoutContent(request: Message, field: DescField | undefined): Message {
  if (!field?.message || member(request, field.localName) === undefined) return request;
  return Object.assign(shallowCopy(request), { [field.localName]: create(field.message) });
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
  return (message, way, missing) => {
    if (isEmpty(member(message, field.localName))) missing.push(pathOf(field.name, way));
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
    return (message, above, missing) => {
      const choice = member<{ readonly case?: string; readonly value?: Message }>(message, oneof.localName);
      if (choice.case === localName && choice.value) checkerOf(type)(choice.value, { above, name }, missing);
    };
  }
  if (field.fieldKind === "list") {
    return (message, above, missing) => {
      const items = member<readonly Message[]>(message, localName);
      for (const [key, item] of items.entries()) checkerOf(type)(item, { above, name, key }, missing);
    };
  }
  if (field.fieldKind === "map") {
    return (message, above, missing) => {
      const items = member<Readonly<Record<string, Message>>>(message, localName);
      for (const [key, item] of Object.entries(items)) checkerOf(type)(item, { above, name, key }, missing);
    };
  }
  return (message, above, missing) => {
    const value = member<Message | undefined>(message, localName);
    if (value) checkerOf(type)(value, { above, name }, missing);
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
