import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ListValue, NullValue, type Struct, type Value } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "#status";
import { deepCopy } from "./deep-copy.ts";
import { fieldValue } from "./field-value.ts";
import { leadsTo } from "./walk-messages.ts";

/**
 * The values of JSON inside a message that JSON does not have: NaN, the infinities, and values of no kind (google/protobuf/struct.proto says
 * that they are errors). Nobody could read a message with one as JSON (WIRE-43). Only what can hold JSON is looked through.
 */
export function invalidValues(desc: DescMessage, message: Message): readonly FieldViolation[] {
  const found: FieldViolation[] = [];
  lookThrough(message, desc, undefined, ({ way, description }) => {
    if (found.length < MAX_FOUND) found.push({ field: pathOf(way), description });
  });
  return found;
}

/** The message with null in place of its invalid values: a copy, or the message itself when it has none. */
export function withoutInvalidValues<M extends Message>(desc: DescMessage, message: M): M {
  if (invalidValues(desc, message).length === 0) return message;
  const copy = deepCopy(message);
  lookThrough(copy, desc, undefined, ({ setNull }) => setNull());
  return copy;
}

/** Violations that are looked for: an error lists no more (WIRE-26). */
const MAX_FOUND = 1_000;

/** The way to a value, put together only where one is wrong. */
interface Way {
  readonly above: Way | undefined;
  /** A field, a position in a list, or a key. */
  readonly step: DescField | number | string;
}

interface InvalidValue {
  readonly way: Way;
  readonly description: string;
  /** Changes the message. */
  readonly setNull: () => void;
}

type Report = (found: InvalidValue) => void;

function lookThrough(message: Message, desc: DescMessage, above: Way | undefined, report: Report): void {
  for (const { field, enter } of fieldsWithJson(desc)) {
    const value = fieldValue(message, field);
    if (value === undefined) continue;
    const way: Way = { above, step: field };
    if (field.fieldKind === "message") enter(value, way, report);
    else for (const [step, item] of entriesOf(value as object)) enter(item, { above: way, step }, report);
  }
}

function checkValue(value: Value, way: Way, report: Report): void {
  const { kind } = value;
  if (kind.case === "listValue") checkList(kind.value, way, report);
  else if (kind.case === "structValue") checkFields(kind.value, way, report);
  else {
    const description = faultOf(kind);
    const setNull = (): void => {
      value.kind = { case: "nullValue", value: NullValue.NULL_VALUE };
    };
    if (description !== undefined) report({ way, description, setNull });
  }
}

/** Checks a Struct that is in a value; elsewhere generated messages have it as a JSON object. */
function checkFields({ fields }: Struct, above: Way, report: Report): void {
  for (const [step, value] of Object.entries(fields)) checkValue(value, { above, step }, report);
}

function checkList({ values }: ListValue, above: Way, report: Report): void {
  for (const [step, value] of values.entries()) checkValue(value, { above, step }, report);
}

function faultOf(kind: Value["kind"]): string | undefined {
  if (kind.case === undefined) return "The value has no kind; for null, set null_value.";
  return kind.case === "numberValue" && !Number.isFinite(kind.value) ? noNumber(kind.value) : undefined;
}

/** Checks the members of a Struct, which generated messages have as a JSON object, or of an object or a list in it. */
function checkJson(json: object, above: Way, report: Report): void {
  if (Array.isArray(json)) for (let at = 0; at < json.length; at++) checkMember(json, at, json[at], above, report);
  else {
    const members = json as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(members)) checkMember(json, key, members[key], above, report);
  }
}

function checkMember(json: object, step: number | string, value: unknown, above: Way, report: Report): void {
  if (typeof value === "object" && value !== null) checkJson(value, { above, step }, report);
  else if (typeof value === "number" && !Number.isFinite(value)) {
    // Not an assignment: the key may be `__proto__`.
    const setNull = (): void => void Object.defineProperty(json, step, { value: null });
    report({ way: { above, step }, description: noNumber(value), setNull });
  }
}

function noNumber(value: number): string {
  return `${value} is not a number of JSON: values of google.protobuf.Value are finite.`;
}

function entriesOf(value: object): Iterable<readonly [number | string, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

function pathOf(way: Way): string {
  let path = "";
  for (let at: Way | undefined = way; at; at = at.above) path = textOf(at) + path;
  return path;
}

function textOf({ above, step }: Way): string {
  if (typeof step === "number") return `[${step}]`;
  if (typeof step === "string") return `["${step}"]`;
  return above ? `.${step.name}` : step.name;
}

/** A field that holds JSON, or messages with such fields, and how its values are checked. */
interface FieldWithJson {
  readonly field: DescField;
  readonly enter: (value: unknown, way: Way, report: Report) => void;
}

const withJson = new WeakMap<DescMessage, readonly FieldWithJson[]>();

function fieldsWithJson(desc: DescMessage): readonly FieldWithJson[] {
  const known = withJson.get(desc);
  if (known) return known;
  const fields = desc.fields.flatMap((field) => {
    const enter = checkOf(field);
    return enter ? [{ field, enter }] : [];
  });
  withJson.set(desc, fields);
  return fields;
}

function checkOf(field: DescField): FieldWithJson["enter"] | undefined {
  const { message: type } = field;
  switch (type?.typeName) {
    case undefined:
      return undefined;
    case "google.protobuf.Value":
      return (value, way, report) => checkValue(value as Value, way, report);
    case "google.protobuf.ListValue":
      return (value, way, report) => checkList(value as ListValue, way, report);
    case "google.protobuf.Struct":
      return (value, way, report) => checkJson(value as object, way, report);
    default:
      return type && leadsTo(field, isJsonField)
        ? (value, way, report) => lookThrough(value as Message, type, way, report)
        : undefined;
  }
}

const JSON_TYPE = /^google\.protobuf\.(Value|ListValue|Struct)$/;

function isJsonField({ message }: DescField): boolean {
  return message !== undefined && JSON_TYPE.test(message.typeName);
}
