import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue as ProtobufJson,
  ScalarType,
} from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { isWellKnown } from "../message/message-fields.ts";
import { isKept } from "./output-only.ts";

/** What a manifest's JSON said that its message cannot hold. Paths are from the resource, in the manifest's own keys. */
export interface JsonProblems {
  /** Keys and enum names that mean nothing here, fields only the server sets: left out or read otherwise, and said so. */
  readonly remarks: { path: string; reason: string }[];
  /** Values of the wrong type: the resource cannot be made. */
  readonly wrong: { path: string; reason: string }[];
}

/**
 * The part of `json` that `schema` can hold, ready for protobuf's own JSON reader, with every difference in `problems`.
 * Accepts both spellings of keys, enum names and numbers, integers as strings (app-package 4.3). Protobuf's reader alone
 * would drop unknown keys without a word, or stop at the first wrong value.
 */
export function checkJson(
  schema: DescMessage,
  json: JsonObject,
  problems: JsonProblems,
  path = "",
  depth = 0,
): JsonObject {
  if (depth > MOST_LEVELS) {
    problems.wrong.push({ path, reason: `is nested more than ${MOST_LEVELS} levels deep` });
    return {};
  }
  const checking: Checking = { problems, depth };
  const kept: [string, JsonValue][] = [];
  const seen = new Set<DescField>();
  for (const [key, value] of Object.entries(json)) {
    const place = path === "" ? key : `${path}.${key}`;
    const field = fieldOf(schema, key);
    if (!field) problems.remarks.push({ path: place, reason: "is not a known field and was ignored" });
    else if (seen.has(field)) problems.wrong.push({ path: place, reason: "stands twice, in both spellings" });
    else if (!isKept(field))
      problems.remarks.push({ path: place, reason: "is set by the server only and was ignored" });
    else {
      seen.add(field);
      const checked = checkField(field, value, place, checking);
      if (checked !== undefined) kept.push([field.jsonName, checked]);
    }
  }
  return Object.fromEntries(kept);
}

/** As many as protobuf's own readers allow. */
const MOST_LEVELS = 100;

interface Checking {
  readonly problems: JsonProblems;
  readonly depth: number;
}

function fieldOf(schema: DescMessage, key: string): DescField | undefined {
  return schema.fields.find(({ jsonName, name }) => jsonName === key || name === key);
}

function checkField(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (value === null) return field.message?.typeName === "google.protobuf.Value" ? null : undefined;
  if (field.fieldKind === "list") return checkList(field, value, path, checking);
  if (field.fieldKind === "map") return checkMap(field, value, path, checking);
  return checkSingle(field, value, path, checking);
}

function checkList(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (!Array.isArray(value)) return mismatch(path, "a list", value, checking);
  return value.flatMap((item, index) => checkSingle(field, item, `${path}[${index}]`, checking) ?? []);
}

function checkMap(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (!isJsonObject(value)) return mismatch(path, "an object", value, checking);
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const checked = checkSingle(field, item, `${path}[${JSON.stringify(key)}]`, checking);
    return checked === undefined ? [] : [[key, checked] as const];
  });
  return Object.fromEntries(entries);
}

/** A single value, a list's element or a map's value. */
function checkSingle(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (field.enum) return checkEnum(field.enum, value, path, checking);
  if (field.message) return checkMessage(field.message, value, path, checking);
  return checkScalar(scalarOf(field), value, path, checking);
}

function checkMessage(schema: DescMessage, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (isWellKnown(schema)) return checkWellKnown(schema, value, path, checking);
  if (schema.typeName.endsWith(".Schema") && typeof value === "boolean") {
    // JSON Schema allows `additionalProperties: false`; the message has no place for it.
    checking.problems.remarks.push({ path, reason: "is a boolean where only a schema can be kept, and was ignored" });
    return undefined;
  }
  if (!isJsonObject(value)) return mismatch(path, "an object", value, checking);
  return checkJson(schema, value, checking.problems, path, checking.depth + 1);
}

function checkWellKnown(
  schema: DescMessage,
  value: JsonValue,
  path: string,
  checking: Checking,
): JsonValue | undefined {
  try {
    fromJson(schema, value as ProtobufJson);
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    checking.problems.wrong.push({ path, reason: `is not a valid ${schema.name}: ${reason}` });
    return undefined;
  }
}

function checkEnum(schema: DescEnum, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value !== "string") return mismatch(path, "an enum name", value, checking);
  if (schema.values.some(({ name }) => name === value)) return value;
  const upper = value.toUpperCase();
  const known = schema.values.some(({ name }) => name === upper);
  const others = schema.values.map(({ name }) => name).join(", ");
  const reason = known
    ? `is '${value}' and was read as ${upper}`
    : `is '${value}' and was ignored: known are ${others}`;
  checking.problems.remarks.push({ path, reason });
  return known ? upper : undefined;
}

function checkScalar(scalar: ScalarType, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      return typeof value === "string" ? value : mismatch(path, "a string", value, checking);
    case ScalarType.BOOL:
      return checkBoolean(value, path, checking);
    case ScalarType.BYTES:
      return isBase64(value) ? value : mismatch(path, "base64 text", value, checking);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return isNumeric(value) ? value : mismatch(path, "a number", value, checking);
    default:
      return isInteger(value, scalar) ? value : mismatch(path, "a whole number", value, checking);
  }
}

/** What YAML 1.1 readers take for a truth value, and ours for a word. */
const TRUTH_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["no", false],
  ["off", false],
]);

function checkBoolean(value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (typeof value === "boolean") return value;
  const truth = typeof value === "string" ? TRUTH_WORDS.get(value.toLowerCase()) : undefined;
  if (truth === undefined) return mismatch(path, "true or false", value, checking);
  checking.problems.remarks.push({ path, reason: `is '${value}' and was read as ${truth}` });
  return truth;
}

function scalarOf(field: DescField): ScalarType {
  return field.fieldKind === "scalar" || field.fieldKind === "list" || field.fieldKind === "map"
    ? (field.scalar ?? ScalarType.STRING)
    : ScalarType.STRING;
}

function isBase64(value: JsonValue): boolean {
  return typeof value === "string" && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value);
}

function isNumeric(value: JsonValue): boolean {
  if (typeof value === "number") return true;
  return (
    typeof value === "string" &&
    (/^(NaN|-?Infinity)$/.test(value) || (value.trim() === value && value !== "" && Number.isFinite(Number(value))))
  );
}

const MOST_INT32 = 2 ** 31;

function isInteger(value: JsonValue, scalar: ScalarType): boolean {
  if (typeof value === "string" && !/^-?\d{1,19}$/.test(value)) return false;
  const number = Number(value);
  if ((typeof value !== "string" && typeof value !== "number") || !Number.isInteger(number)) return false;
  return scalar === ScalarType.INT32 ? number >= -MOST_INT32 && number < MOST_INT32 : true;
}

function mismatch(path: string, expected: string, found: JsonValue, { problems }: Checking): undefined {
  problems.wrong.push({ path, reason: `must be ${expected}, not ${describe(found)}` });
  return undefined;
}

function describe(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
