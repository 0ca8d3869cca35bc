import {
  type DescField,
  type DescMessage,
  type DescOneof,
  fromJson,
  ScalarType,
  type Registry as TypeRegistry,
} from "@bufbuild/protobuf";
import { isFieldMask, isOnCalendar, maskFieldsOf } from "#aip";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { FieldViolation } from "#status";
import { excerpt } from "./excerpt.ts";
import { camelMask, fieldsByName, namesIn } from "./fields.ts";
import { isTimestamp } from "./impossible-times.ts";

/**
 * Finds the violations of JSON that the decoder rejected, by proto field paths, in Google's wording: first, when it is `strict`, names that the message does not have, then
 * values of the wrong type for their field. Where Google accepts more than proto3 JSON allows, the value is rewritten in
 * place: masks in snake_case that stand beside nothing they apply to, and one object instead of a list of them.
 */
export function inspectJson(
  type: DescMessage,
  json: JsonValue,
  types: TypeRegistry,
  strict: boolean,
): readonly FieldViolation[] {
  const inspection = new Inspection(types, strict);
  inspection.message(type, json, "");
  return inspection.violations;
}

/** The decoder's own limit. */
const MAX_DEPTH = 100;

/** Wrong names and values that are looked for: each takes the event loop tens of microseconds, and an error tells no more than these and that there may be more (WIRE-26). */
const MAX_WRONG = 999;

const MAY_BE_MORE = { field: "", description: "There may be more: the rest of the message was not looked at." };

class Inspection {
  readonly #unknown: FieldViolation[] = [];
  readonly #invalid: FieldViolation[] = [];
  readonly #types: TypeRegistry;
  readonly #strict: boolean;
  #depth = 0;

  constructor(types: TypeRegistry, strict: boolean) {
    this.#types = types;
    this.#strict = strict;
  }

  get violations(): readonly FieldViolation[] {
    return [...this.#unknown, ...this.#invalid, ...(this.#isFull ? [MAY_BE_MORE] : [])];
  }

  message(type: DescMessage, json: JsonValue, path: string): void {
    if (this.#isFull) return;
    if (!isJsonObject(json)) {
      this.#add(invalidValue(path, `type.googleapis.com/${type.typeName}`, json));
      return;
    }
    if (this.#depth === MAX_DEPTH) {
      this.#add({ field: path, description: `The message is nested more than ${MAX_DEPTH} levels deep.` });
      return;
    }
    const fields = fieldsByName(type);
    const chosen = new Map<DescOneof, DescField>();
    this.#depth++;
    for (const key of Object.keys(json)) {
      if (this.#isFull) break;
      const field = fields.get(key);
      const place = field && (path === "" ? field.name : `${path}.${field.name}`);
      if (!field || place === undefined) this.#addUnknown(key, path);
      else if (key === field.jsonName && key !== field.name && Object.hasOwn(json, field.name))
        this.#add(sentTwice(field, place));
      else {
        this.#member(chosen, field, json[key] ?? null, place);
        this.#field(field, json, key, place);
      }
    }
    this.#depth--;
  }

  /** A oneof has one value; the field that the message has already is `chosen`. */
  #member(chosen: Map<DescOneof, DescField>, field: DescField, value: JsonValue, path: string): void {
    const { oneof } = field;
    if (!oneof || value === null) return;
    const first = chosen.get(oneof);
    if (first) this.#add(secondOfOneof(path, field, first));
    else chosen.set(oneof, field);
  }

  get #isFull(): boolean {
    return this.#unknown.length + this.#invalid.length >= MAX_WRONG;
  }

  #addUnknown(name: string, path: string): void {
    if (this.#strict) this.#unknown.push(unknownName(name, path));
  }

  #add(violation: FieldViolation): void {
    if (!this.#isFull) this.#invalid.push(violation);
  }

  #field(field: DescField, parent: JsonObject, key: string, path: string): void {
    const { message: type } = field;
    const value = parent[key] ?? null;
    if (isFieldMask(field) && typeof value === "string") {
      if (maskFieldsOf(field.parent).some((mask) => mask.field === field)) return;
      parent[key] = camelMask(value);
    }
    const items = field.fieldKind === "list" && type && isJsonObject(value) ? asList(type, value) : undefined;
    if (items) {
      parent[key] = items;
      for (const [index, item] of items.entries()) this.message(type as DescMessage, item, `${path}[${index}]`);
      return;
    }
    if (!type || value === null || type.typeName.startsWith("google.protobuf."))
      this.#leaf(field, parent[key] ?? null, path);
    else if (field.fieldKind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.message(type, item, `${path}[${index}]`);
    } else if (field.fieldKind === "map" && isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) this.message(type, item, `${path}[${name}]`);
    } else if (field.fieldKind === "message") this.message(type, value, path);
    else this.#leaf(field, parent[key] ?? null, path);
  }

  #leaf(field: DescField, value: JsonValue, path: string): void {
    if (this.#isFull) return;
    if (field.fieldKind === "list" && Array.isArray(value)) this.#entries(field, [...value.entries()], path);
    else if (field.fieldKind === "map" && isJsonObject(value)) this.#entries(field, Object.entries(value), path);
    else if (!this.#isValid(field, value)) this.#add(invalidLeaf(field, path, value));
  }

  /** Finds the wrong entries of a list or a map by halves, because most are right. */
  #entries(field: DescField, entries: readonly (readonly [string | number, JsonValue])[], path: string): void {
    const joined = field.fieldKind === "map" ? Object.fromEntries(entries) : entries.map(([, item]) => item);
    if (this.#isFull || this.#isValid(field, joined)) return;
    const [[at, item] = ["", null]] = entries;
    const middle = entries.length >> 1;
    if (middle === 0) this.#add(invalidLeaf(field, `${path}[${at}]`, item));
    else for (const half of [entries.slice(0, middle), entries.slice(middle)]) this.#entries(field, half, path);
  }

  /** Values of no message of the API are checked by the decoder itself, but for the days of the calendar. */
  #isValid(field: DescField, value: JsonValue): boolean {
    if (isTimestamp(field) && textsIn(value).some((text) => !isOnCalendar(text))) return false;
    try {
      fromJson(field.parent, { [field.jsonName]: value }, { registry: this.#types });
      return true;
    } catch {
      return false;
    }
  }
}

function textsIn(value: JsonValue): readonly string[] {
  const items = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return items.filter((item) => typeof item === "string");
}

/**
 * An object where a list is expected: one item, as in some samples, or, for items with a key and a value, the map that the field was in
 * older revisions.
 */
function asList(type: DescMessage, value: JsonObject): JsonValue[] {
  const names = type.fields.map(({ name }) => name).join();
  return names === "key,value" ? Object.entries(value).map(([key, item]) => ({ key, value: item })) : [value];
}

function unknownName(name: string, path: string): FieldViolation {
  const at = path === "" ? "" : ` at '${path}'`;
  return { field: path, description: `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.` };
}

function sentTwice({ name, jsonName }: DescField, path: string): FieldViolation {
  const description = `Invalid JSON payload received. '${path}' is set twice, as "${jsonName}" and as "${name}".`;
  return { field: path, description };
}

/** Short, because it has to fit into the reason of a close frame. */
function secondOfOneof(path: string, second: DescField, first: DescField): FieldViolation {
  const description = `'${first.name}' is set, too: send one of '${first.name}' and '${second.name}'.`;
  return { field: path, description };
}

function invalidValue(path: string, type: string, value: JsonValue): FieldViolation {
  return { field: path, description: `Invalid value at '${path}' (${type}), ${excerpt(value)}` };
}

/** Where a field has names to choose from, they follow Google's words: a model mends its call by them (MCP-16). */
function invalidLeaf(field: DescField, path: string, value: JsonValue): FieldViolation {
  const { description } = invalidValue(path, typeOf(field), value);
  const names = field.enum ? namesIn(field.enum) : [];
  if (names.length === 0) return { field: path, description };
  const more = names.length > MAX_NAMES ? `, … (${names.length} in all)` : "";
  return { field: path, description: `${description}; must be one of ${names.slice(0, MAX_NAMES).join(", ")}${more}` };
}

/** Names of an enum that an error lists at most. */
const MAX_NAMES = 40;

function typeOf(field: DescField): string {
  if (field.message) return `type.googleapis.com/${field.message.typeName}`;
  if (field.enum) return `type.googleapis.com/${field.enum.typeName}`;
  return `TYPE_${ScalarType[field.scalar as ScalarType]}`;
}
