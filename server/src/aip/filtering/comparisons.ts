import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { isOnCalendar } from "../calendar.ts";
import { type Comparator, FilterError, type Literal } from "./syntax.ts";

/** Whether one value of a field (never a list or map) satisfies a comparison. */
export type ValuePredicate = (value: unknown) => boolean;

/** How values of a field are compared. */
type ValueKind =
  | { readonly kind: "string" | "number" | "boolean" | "timestamp" | "duration" | "json" }
  | { readonly kind: "enum"; readonly numbers: ReadonlyMap<string, number> }
  | { readonly kind: "message" | "bytes" };

/** Compiles `comparator value` for elements of a field. Throws `FilterError` when the value does not fit the field's type. */
export function fieldComparison(field: DescField, comparator: Comparator, value: Literal): ValuePredicate {
  const kind = kindOf(field);
  switch (kind.kind) {
    case "string":
      return stringComparison(comparator, value);
    case "number":
      return orderedComparison(comparator, parseNumber(value), Number);
    case "boolean":
      return booleanComparison(comparator, value);
    case "timestamp":
      return orderedComparison(comparator, parseTimestamp(value), nanosOf);
    case "duration":
      return orderedComparison(comparator, parseDuration(value), nanosOf);
    case "enum":
      return enumComparison(comparator, value, kind.numbers);
    case "json":
      return jsonComparison(comparator, value);
    default:
      throw new FilterError(`'${field.name}' can only be tested for presence, with '${field.name}:*'`, value.at);
  }
}

/** Compiles `comparator value` for JSON of unknown shape (inside a Struct): by the type of the value that is found. */
export function jsonComparison(comparator: Comparator, value: Literal): ValuePredicate {
  const number = Number(value.text);
  const asString = stringComparison(comparator, value);
  return (found) => {
    if (typeof found === "number") return !Number.isNaN(number) && compare(comparator, found, number);
    if (typeof found === "boolean") return compare(comparator, String(found), value.text);
    return typeof found === "string" && asString(found);
  };
}

/** Case-insensitive containment: `:` on strings, and bare literals. */
export function contains(value: string, part: string): boolean {
  return value.toLowerCase().includes(part.toLowerCase());
}

function kindOf(field: DescField): ValueKind {
  if (field.enum)
    return { kind: "enum", numbers: new Map(field.enum.values.map(({ name, number }) => [name, number])) };
  switch (field.message?.typeName) {
    case undefined:
      return { kind: scalarKind(field.scalar) };
    case "google.protobuf.Timestamp":
      return { kind: "timestamp" };
    case "google.protobuf.Duration":
      return { kind: "duration" };
    case "google.protobuf.Struct":
    case "google.protobuf.Value":
      return { kind: "json" };
    default:
      return { kind: "message" };
  }
}

function scalarKind(scalar: ScalarType | undefined): "string" | "number" | "boolean" | "bytes" {
  if (scalar === ScalarType.STRING) return "string";
  if (scalar === ScalarType.BOOL) return "boolean";
  return scalar === ScalarType.BYTES ? "bytes" : "number";
}

/** `=` with `*` in the value matches as a pattern (AIP-160 wildcards). `:` contains, ignoring case. */
function stringComparison(comparator: Comparator, { text }: Literal): ValuePredicate {
  if (comparator === ":") return (value) => typeof value === "string" && contains(value, text.replace(/^\*|\*$/g, ""));
  if ((comparator === "=" || comparator === "!=") && text.includes("*")) {
    return (value) => typeof value === "string" && matchesWildcards(value, text.split("*")) === (comparator === "=");
  }
  return (value) => typeof value === "string" && compare(comparator, value, text);
}

/** Whether the parts occur in the value in this order, the first at its start and the last at its end. Linear for any pattern. */
function matchesWildcards(value: string, parts: readonly string[]): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - last.length;
}

function booleanComparison(comparator: Comparator, { text, at }: Literal): ValuePredicate {
  if (text !== "true" && text !== "false") throw new FilterError(`'${text}' is not true or false`, at);
  const expected = text === "true";
  if (comparator === "=" || comparator === ":") return (value) => value === expected;
  if (comparator === "!=") return (value) => value !== expected;
  throw new FilterError("true and false have no order; use = or !=", at);
}

function enumComparison(
  comparator: Comparator,
  { text, at }: Literal,
  numbers: ReadonlyMap<string, number>,
): ValuePredicate {
  const expected = numbers.get(text) ?? numbers.get(text.toUpperCase());
  if (expected === undefined) throw new FilterError(`'${text}' is not one of ${[...numbers.keys()].join(", ")}`, at);
  if (comparator === "=" || comparator === ":") return (value) => value === expected;
  if (comparator === "!=") return (value) => value !== expected;
  throw new FilterError("enum values have no order; use = or !=", at);
}

function orderedComparison<T extends number | bigint>(
  comparator: Comparator,
  expected: T,
  toNumber: (value: unknown) => T,
): ValuePredicate {
  const operator = comparator === ":" ? "=" : comparator;
  return (value) => compare(operator, toNumber(value), expected);
}

function compare<T extends string | number | bigint>(comparator: Comparator, left: T, right: T): boolean {
  switch (comparator) {
    case "=":
    case ":":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function parseNumber({ text, at }: Literal): number {
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) throw new FilterError(`'${text}' is not a number`, at);
  return number;
}

/** A time in nanoseconds, which is as fine as values are. */
function parseTimestamp({ text, at }: Literal): bigint {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d))?$/.exec(text);
  const whole = match ? Date.parse(`${match[1]}T${match[2] ?? "00:00:00"}${match[4] ?? "Z"}`) : Number.NaN;
  if (Number.isNaN(whole)) throw new FilterError(`'${text}' is not a time like "2026-01-31T09:30:00Z"`, at);
  if (!isOnCalendar(text)) throw new FilterError(`'${text}' is not a time: its day or hour does not exist`, at);
  return BigInt(whole) * 1_000_000n + BigInt((match?.[3] ?? "").padEnd(9, "0"));
}

function parseDuration({ text, at }: Literal): bigint {
  const [, sign, seconds, fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (seconds === undefined) throw new FilterError(`'${text}' is not a duration like 1.5s`, at);
  const nanos = BigInt(seconds) * NANOS + BigInt(fraction.padEnd(9, "0"));
  return sign === "-" ? -nanos : nanos;
}

const NANOS = 1_000_000_000n;

/** Nanoseconds of a Timestamp or Duration. */
function nanosOf(value: unknown): bigint {
  const { seconds, nanos } = value as { readonly seconds: bigint; readonly nanos: number };
  return seconds * NANOS + BigInt(nanos);
}
