import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isFieldMask } from "#aip";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import { excerpt } from "../json/excerpt.ts";
import { fieldsByName, keyOf } from "../json/fields.ts";

/** Messages whose JSON is one string, so that a query parameter can hold them. */
const TEXT_TYPES = /^google\.protobuf\.(Timestamp|Duration|FieldMask|\w+Value)$/;

/**
 * Sets query parameters in the JSON of a request: `pageSize=3`, nested `a.b=1`, repeated `x=1&x=2`, maps `labels.key=v`
 * or `labels[key]=v`, masks in either spelling, enums by name or number. A mask may be sent in parts; any other single value that is sent
 * twice is a violation (WIRE-45). The decoder validates the values afterwards; names are validated here, all at once, with Google's messages.
 */
export function bindQuery(type: DescMessage, json: JsonObject, bindings: readonly (readonly [string, string])[]): void {
  const sent = new Set<string>();
  const violations = bindings.flatMap(([name, value]) => bind(type, json, name, value, sent) ?? []);
  if (violations.length > 0) throw invalidArgument(violations);
}

function bind(
  type: DescMessage,
  root: JsonObject,
  name: string,
  value: string,
  sent: Set<string>,
): FieldViolation | undefined {
  const steps = name.replace(/\[([^[\]]*)\]/g, ".$1").split(".");
  const path: string[] = [];
  let desc = type;
  let object = root;
  for (const [index, step] of steps.entries()) {
    const field = fieldsByName(desc).get(step);
    if (!field) return unknownName(name, step);
    path.push(field.name);
    const rest = steps.slice(index + 1);
    const parameter: Parameter = { name, value, path: path.join("."), sent };
    if (rest.length === 0) return assign(field, object, parameter);
    if (field.fieldKind === "map" && field.mapKind !== "message")
      return setEntry(field, object, rest.join("."), parameter);
    if (field.fieldKind !== "message") return unknownName(name, rest[0] ?? "");
    desc = field.message;
    object = nestedObject(field, object);
  }
  return undefined;
}

function unknownName(name: string, step: string): FieldViolation {
  return {
    field: "",
    description: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${step}' could not be found in request message.`,
  };
}

/** A parameter of the query that is bound to a field. */
interface Parameter {
  readonly name: string;
  readonly value: string;
  /** Path of the field, by the definitions. */
  readonly path: string;
  /** The paths that parameters before it are bound to. */
  readonly sent: Set<string>;
}

function assign(field: DescField, object: JsonObject, parameter: Parameter): FieldViolation | undefined {
  const { name, value, path, sent } = parameter;
  if (field.fieldKind === "map" || (field.message && !TEXT_TYPES.test(field.message.typeName))) {
    return {
      field: "",
      description: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. '${name}' is a message type. Parameters can only be bound to primitive types.`,
    };
  }
  const key = keyOf(field, object);
  const before = sent.has(path) ? object[key] : undefined;
  if (field.fieldKind === "list") {
    // A list of this function's own, unless the body has one.
    if (Array.isArray(before)) before.push(coerce(field, value));
    else object[key] = [coerce(field, value)];
  } else if (sent.has(path) && !isFieldMask(field)) return sentTwice(parameter);
  else object[key] = typeof before === "string" ? [before, value].filter(Boolean).join(",") : coerce(field, value);
  sent.add(path);
  return undefined;
}

function sentTwice({ name, path }: Parameter): FieldViolation {
  return {
    field: path,
    description: `The query parameter '${name}' is sent more than once, and '${path}' has one value.`,
  };
}

/** Numbers stay strings, which proto3 JSON accepts; booleans must be converted. */
function coerce(field: DescField, value: string): JsonValue {
  if (field.enum && /^-?\d+$/.test(value)) return Number(value);
  if (field.scalar === ScalarType.BOOL && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

function setEntry(field: DescField, object: JsonObject, key: string, parameter: Parameter): FieldViolation | undefined {
  const path = `${parameter.path}[${key}]`;
  if (parameter.sent.has(path)) return sentTwice({ ...parameter, path });
  parameter.sent.add(path);
  // An own property even for the key `__proto__`.
  Object.defineProperty(nestedObject(field, object), key, {
    value: coerceEntry(field, parameter.value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return undefined;
}

function coerceEntry(field: DescField, value: string): JsonValue {
  return field.scalar === ScalarType.BOOL && /^(true|false)$/i.test(value) ? value.toLowerCase() === "true" : value;
}

/** The object of a message or map field, created when it is absent. */
export function nestedObject(field: DescField, object: JsonObject): JsonObject {
  const key = keyOf(field, object);
  const present = object[key];
  if (isJsonObject(present)) return present;
  if (present !== undefined && present !== null) {
    throw invalidArgument({
      field: field.name,
      description: `Invalid value at '${field.name}' (an object is expected), ${excerpt(present)}`,
    });
  }
  const created: JsonObject = {};
  object[key] = created;
  return created;
}
