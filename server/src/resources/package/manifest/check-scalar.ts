import { type DescEnum, type DescField, ScalarType } from "@bufbuild/protobuf";
import type { UnknownField } from "#aip";
import type { JsonObject, JsonValue } from "#base";
import type { SourceOf } from "./source-document.ts";

/** Differences between a manifest's JSON and its message type. Paths start at the resource and use the manifest's own keys. */
export interface JsonProblems {
  /** Unknown keys and enum names, fields that only the server sets, values that were interpreted: warnings. */
  readonly remarks: { path: string; reason: string }[];
  /** Values of the wrong type: the resource cannot be imported. */
  readonly wrong: { path: string; reason: string }[];
  /** Where unknown fields are kept: those of each checked object. Undefined where they are ignored. */
  readonly unknown?: KeepUnknown;
}

/** How the unknown fields of a manifest are kept. */
interface KeepUnknown {
  readonly sourceOf: SourceOf;
  /** By the object that `checkJson` made. */
  readonly found: Map<JsonObject, readonly UnknownField[]>;
}

/** Records a value of the wrong type. Returns undefined: the value is dropped. */
export function mismatch(path: string, expected: string, found: JsonValue, { wrong }: JsonProblems): undefined {
  wrong.push({ path, reason: `must be ${expected}, not ${describe(found)}` });
  return undefined;
}

function describe(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** An enum value by number or name; a lower-case name is read as the upper-case one, with a remark. */
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
    : `is '${value}', which is not known here and has no effect: known are ${others}`;
  problems.remarks.push({ path, reason });
  return known ? upper : undefined;
}

/** A string, boolean or number of the field's type; integers can be strings. */
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

/** Booleans of YAML 1.1 that are strings in YAML 1.2. */
const YAML_1_1_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["no", false],
  ["off", false],
]);

function checkBoolean(value: JsonValue, path: string, problems: JsonProblems): JsonValue | undefined {
  if (typeof value === "boolean") return value;
  const truth = typeof value === "string" ? YAML_1_1_BOOLEANS.get(value.toLowerCase()) : undefined;
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

const INT32_LIMIT = 2 ** 31;

function isInteger(value: JsonValue, scalar: ScalarType | undefined): boolean {
  if (typeof value === "string" && !/^-?\d{1,19}$/.test(value)) return false;
  const number = Number(value);
  if ((typeof value !== "string" && typeof value !== "number") || !Number.isInteger(number)) return false;
  return scalar === ScalarType.INT32 ? number >= -INT32_LIMIT && number < INT32_LIMIT : true;
}
