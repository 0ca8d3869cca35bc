import { type DescEnum, type DescField, ScalarType } from "@bufbuild/protobuf";
import type { JsonValue } from "#base";
import { type JsonProblems, mismatch } from "./json-problems.ts";

/** An enum value by number or name; a name in lower case is taken for what it means. */
export function checkEnum(
  schema: DescEnum,
  value: JsonValue,
  path: string,
  problems: JsonProblems,
): JsonValue | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value !== "string") return mismatch(path, "an enum name", value, problems);
  if (schema.values.some(({ name }) => name === value)) return value;
  const upper = value.toUpperCase();
  const known = schema.values.some(({ name }) => name === upper);
  const others = schema.values.map(({ name }) => name).join(", ");
  const reason = known
    ? `is '${value}' and was read as ${upper}`
    : `is '${value}' and was ignored: known are ${others}`;
  problems.remarks.push({ path, reason });
  return known ? upper : undefined;
}

/** A text, truth value or number as the field's type takes it; integers may be written as texts. */
export function checkScalar(
  field: DescField,
  value: JsonValue,
  path: string,
  problems: JsonProblems,
): JsonValue | undefined {
  const scalar = "scalar" in field ? field.scalar : undefined;
  switch (scalar) {
    case ScalarType.STRING:
      return typeof value === "string" ? value : mismatch(path, "a string", value, problems);
    case ScalarType.BOOL:
      return checkBoolean(value, path, problems);
    case ScalarType.BYTES:
      return isBase64(value) ? value : mismatch(path, "base64 text", value, problems);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return isNumeric(value) ? value : mismatch(path, "a number", value, problems);
    default:
      return isInteger(value, scalar) ? value : mismatch(path, "a whole number", value, problems);
  }
}

/** What YAML 1.1 readers take for a truth value, and ours for a word. */
const TRUTH_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["no", false],
  ["off", false],
]);

function checkBoolean(value: JsonValue, path: string, problems: JsonProblems): JsonValue | undefined {
  if (typeof value === "boolean") return value;
  const truth = typeof value === "string" ? TRUTH_WORDS.get(value.toLowerCase()) : undefined;
  if (truth === undefined) return mismatch(path, "true or false", value, problems);
  problems.remarks.push({ path, reason: `is '${value}' and was read as ${truth}` });
  return truth;
}

function isBase64(value: JsonValue): boolean {
  return typeof value === "string" && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value);
}

function isNumeric(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return (
    typeof value === "string" &&
    (/^(NaN|-?Infinity)$/.test(value) || (value.trim() === value && value !== "" && Number.isFinite(Number(value))))
  );
}

const MOST_INT32 = 2 ** 31;

function isInteger(value: JsonValue, scalar: ScalarType | undefined): boolean {
  if (typeof value === "string" && !/^-?\d{1,19}$/.test(value)) return false;
  const number = Number(value);
  if ((typeof value !== "string" && typeof value !== "number") || !Number.isInteger(number)) return false;
  return scalar === ScalarType.INT32 ? number >= -MOST_INT32 && number < MOST_INT32 : true;
}
