import { type DescField, type DescMessage, fromJson, type JsonValue as ProtobufJson } from "@bufbuild/protobuf";
import type { UnknownField } from "#aip";
import { isJsonObject, type JsonObject, type JsonValue, thrownMessage } from "#base";
import { isPackagedField } from "../field-tables.ts";
import { isWellKnown } from "../message-fields.ts";
import { checkEnum, checkScalar, type JsonProblems, mismatch } from "./check-scalar.ts";
import { type Document, freeFormDocument } from "./document.ts";
import { jsonOfDocument } from "./source-document.ts";

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
  const unknown = new UnknownFieldsOf(json, problems);
  const seen = new Set<DescField>();
  for (const [key, value] of Object.entries(json)) {
    const place = path === "" ? key : `${path}.${key}`;
    const field = fieldOf(schema, key);
    if (!field) problems.remarks.push({ path: place, reason: unknown.add(key, key) });
    else if (seen.has(field)) problems.wrong.push({ path: place, reason: "is given twice, in both spellings" });
    else if (!isPackagedField(field))
      problems.remarks.push({ path: place, reason: "is set by the server only and was ignored" });
    else {
      seen.add(field);
      const checked = checkField(field, value, place, checking);
      unknown.after = field.number;
      if (checked !== undefined) kept.push([field.jsonName, checked]);
      // An enum name of later definitions, or a boolean for a schema: kept as an unknown field until the field is set.
      else if (value !== null && field.fieldKind !== "list" && field.fieldKind !== "map")
        unknown.add(key, field.jsonName);
    }
  }
  const checked = Object.fromEntries(kept);
  unknown.keepFor(checked);
  return checked;
}

/** The unknown fields of one object, collected in the order of the file. */
class UnknownFieldsOf {
  /** Number of the latest known field. */
  after = 0;
  readonly #json: JsonObject;
  readonly #problems: JsonProblems;
  readonly #fields: UnknownField[] = [];
  #members: ReadonlyMap<string, Document> | undefined;

  constructor(json: JsonObject, problems: JsonProblems) {
    this.#json = json;
    this.#problems = problems;
  }

  /** Keeps the member `key` under a name. Returns what becomes of it, as the end of a sentence. */
  add(key: string, name: string): string {
    const { unknown } = this.#problems;
    if (!unknown) return "is not a known field and was ignored";
    if (this.#fields.length === MAX_UNKNOWN_FIELDS)
      return `is not a known field, comes after ${MAX_UNKNOWN_FIELDS} others that are kept, and was ignored`;
    this.#members ??= membersOf(unknown.sourceOf(this.#json));
    const member = this.#members.get(key);
    const document = member ?? freeFormDocument(this.#json[key] ?? null);
    if (levelsOf(document) > MAX_LEVELS)
      return `is not a known field, is nested more than ${MAX_LEVELS} levels deep, and was ignored`;
    this.#fields.push({ key: name, json: jsonOfDocument(document), after: this.after });
    return "is not a known field: it has no effect here, and is kept and exported again";
  }

  keepFor(checked: JsonObject): void {
    if (this.#fields.length > 0) this.#problems.unknown?.found.set(checked, this.#fields);
  }
}

/** The members of an object by key; of repeated keys the last counts. */
function membersOf(source: Document | undefined): ReadonlyMap<string, Document> {
  return new Map(source?.kind === "object" ? source.members : []);
}

function levelsOf(document: Document): number {
  if (document.kind === "list") return 1 + Math.max(0, ...document.items.map(levelsOf));
  return document.kind === "object" ? 1 + Math.max(0, ...document.members.map(([, value]) => levelsOf(value))) : 0;
}

/** Unknown fields of one object that are kept (PKG-32). */
const MAX_UNKNOWN_FIELDS = 1_000;

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
    checking.problems.remarks.push({
      path,
      reason: "is a boolean where only a schema is known, and has no effect here",
    });
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
    const reason = thrownMessage(error);
    checking.problems.wrong.push({ path, reason: `is not a valid ${schema.name}: ${reason}` });
    return undefined;
  }
}
