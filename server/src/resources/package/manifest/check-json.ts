import { type DescField, type DescMessage, fromJson, type JsonValue as ProtobufJson } from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { isPackagedField } from "../field-tables.ts";
import { isWellKnown } from "../message-fields.ts";
import { checkEnum, checkScalar, type JsonProblems, mismatch } from "./check-scalar.ts";

/**
 * The part of `json` that the message type has fields for, ready for protobuf's own JSON reader, with every difference in `problems`.
 * Accepts both spellings of keys, enum names and numbers, integers as strings (PKG-17). Protobuf's reader alone
 * would ignore unknown keys silently, or stop at the first wrong value.
 */
export function checkJson(
  schema: DescMessage,
  json: JsonObject,
  problems: JsonProblems,
  path = "",
  depth = 0,
): JsonObject {
  if (depth > MAX_LEVELS) {
    problems.wrong.push({ path, reason: `is nested more than ${MAX_LEVELS} levels deep` });
    return {};
  }
  const checking: Checking = { problems, depth };
  const kept: [string, JsonValue][] = [];
  const seen = new Set<DescField>();
  for (const [key, value] of Object.entries(json)) {
    const place = path === "" ? key : `${path}.${key}`;
    const field = fieldOf(schema, key);
    if (!field) problems.remarks.push({ path: place, reason: "is not a known field and was ignored" });
    else if (seen.has(field)) problems.wrong.push({ path: place, reason: "is given twice, in both spellings" });
    else if (!isPackagedField(field))
      problems.remarks.push({ path: place, reason: "is set by the server only and was ignored" });
    else {
      seen.add(field);
      const checked = checkField(field, value, place, checking);
      if (checked !== undefined) kept.push([field.jsonName, checked]);
    }
  }
  return Object.fromEntries(kept);
}

/** The limit of protobuf's own readers. */
const MAX_LEVELS = 100;

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
  if (!Array.isArray(value)) return mismatch(path, "a list", value, checking.problems);
  return value.flatMap((item, index) => checkSingle(field, item, `${path}[${index}]`, checking) ?? []);
}

function checkMap(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (!isJsonObject(value)) return mismatch(path, "an object", value, checking.problems);
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const checked = checkSingle(field, item, `${path}[${JSON.stringify(key)}]`, checking);
    return checked === undefined ? [] : [[key, checked] as const];
  });
  return Object.fromEntries(entries);
}

/** A single value, a list's element or a map's value. */
function checkSingle(field: DescField, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (field.enum) return checkEnum(field.enum, value, path, checking.problems);
  if (field.message) return checkMessage(field.message, value, path, checking);
  return checkScalar(field, value, path, checking.problems);
}

function checkMessage(schema: DescMessage, value: JsonValue, path: string, checking: Checking): JsonValue | undefined {
  if (isWellKnown(schema)) return checkWellKnown(schema, value, path, checking);
  if (schema.typeName.endsWith(".Schema") && typeof value === "boolean") {
    // JSON Schema allows `additionalProperties: false`; the message has no field for it.
    checking.problems.remarks.push({ path, reason: "is a boolean where only a schema can be kept, and was ignored" });
    return undefined;
  }
  if (!isJsonObject(value)) return mismatch(path, "an object", value, checking.problems);
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
