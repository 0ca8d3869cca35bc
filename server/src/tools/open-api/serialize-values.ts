import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "#base";
import type { OperationBody, OperationParameter, ParameterStyle } from "./read-operation.ts";

/** Serialization of a value by OpenAPI 3's `style` and `explode`. */
interface SerializationStyle {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Whether it is a field of a form. Default false. */
  readonly isForm?: boolean;
}

/** Encoded names and values of a query, a form or cookies. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A path parameter without the slash: simple, label or matrix. */
export function serializePathParameter(parameter: OperationParameter, value: JsonValue): string {
  const { name, style, explode } = parameter;
  if (parameter.contentType !== undefined) return encode(writeJson(value), false);
  if (style === "label") return `.${simple(value, explode, explode ? "." : ",", plain)}`;
  if (style === "matrix") return matrix(name, value, explode);
  return simple(value, explode, ",", plain);
}

/** A header value: simple, not encoded. */
export function serializeHeader({ explode, contentType }: OperationParameter, value: JsonValue): string {
  if (contentType !== undefined) return writeJson(value);
  return simple(value, explode, ",", (text) => text);
}

/** A query parameter, form field or cookie: form, spaceDelimited, pipeDelimited or deepObject. */
export function serializePairs(writing: SerializationStyle, value: JsonValue): Pairs {
  const { name, style, explode, allowReserved, isForm = false } = writing;
  const key = encode(name, false);
  const write = (text: string) => encode(text, allowReserved);
  if (style === "deepObject") return deep(key, value, write, isForm || Array.isArray(value));
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => [key, write(textOf(item))]);
    return [[key, value.map((item) => write(textOf(item))).join(DELIMITERS[style] ?? ",")]];
  }
  if (isJsonObject(value)) {
    const fields = fieldsOf(value);
    if (explode) return fields.map(([field, item]) => [encode(field, false), write(textOf(item))]);
    return [
      [key, fields.flatMap(([field, item]) => [write(field), write(textOf(item))]).join(DELIMITERS[style] ?? ",")],
    ];
  }
  return [[key, write(textOf(value))]];
}

/** Delimiters that are not allowed in a query are percent-encoded (OpenAPI 3.1.1, appendix E). */
const DELIMITERS: Partial<Record<ParameterStyle, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

function matrix(name: string, value: JsonValue, explode: boolean): string {
  const key = encode(name, false);
  const pair = (field: string, text: string) => (text === "" ? `;${field}` : `;${field}=${text}`);
  if (explode && Array.isArray(value)) return value.map((item) => pair(key, plain(textOf(item)))).join("");
  if (explode && isJsonObject(value))
    return fieldsOf(value)
      .map(([field, item]) => pair(plain(field), plain(textOf(item))))
      .join("");
  return pair(key, simple(value, false, ",", plain));
}

function simple(value: JsonValue, explode: boolean, delimiter: string, write: (text: string) => string): string {
  if (Array.isArray(value)) return value.map((item) => write(textOf(item))).join(delimiter);
  if (!isJsonObject(value)) return write(textOf(value));
  const fields = fieldsOf(value).map(([field, item]) => [write(field), write(textOf(item))] as const);
  return fields.map(([field, item]) => (explode ? `${field}=${item}` : `${field},${item}`)).join(delimiter);
}

/**
 * Nested fields are serialized the same way. OpenAPI leaves arrays open: objects in one are numbered, because their fields would be mixed up, and
 * other items have one pair each, with `[]` where `brackets` says so: in forms and of an array that is the whole parameter, as the servers of
 * Stripe, PHP and Rails take them (TOOL-49).
 */
function deep(key: string, value: JsonValue, write: (text: string) => string, brackets: boolean): Pairs {
  if (Array.isArray(value))
    return value.flatMap((item, at) => {
      if (typeof item === "object" && item !== null) return deep(`${key}%5B${at}%5D`, item, write, brackets);
      return deep(brackets ? `${key}%5B%5D` : key, item, write, brackets);
    });
  if (!isJsonObject(value)) return [[key, write(textOf(value))]];
  return fieldsOf(value).flatMap(([field, item]) => deep(`${key}%5B${encode(field, false)}%5D`, item, write, brackets));
}

function fieldsOf(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).flatMap(([name, item]) => (item === undefined || item === null ? [] : [[name, item]]));
}

/** Nested values are serialized as JSON. */
function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "object" ? writeJson(value) : String(value);
}

function plain(text: string): string {
  return encode(text, false);
}

function encode(text: string, allowReserved: boolean): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return allowReserved ? encoded.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent) : encoded;
}

/** A serialized request body. */
interface SerializedBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Serializes a body in its media type. Returns an error message without a full stop when the media type cannot hold the value. */
export async function serializeBody(
  { contentType, encoding, files }: OperationBody,
  value: JsonValue,
): Promise<SerializedBody | string> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type.endsWith("+json")) return { contentType, content: writeJson(value) };
  if (type === "application/x-www-form-urlencoded")
    return isJsonObject(value) ? { contentType, content: form(value, encoding) } : "a form has named fields";
  if (type === "multipart/form-data")
    return isJsonObject(value) ? multipart(value, encoding, files) : "a form has named fields";
  if (typeof value === "object" && value !== null) return `an object cannot be written as ${type}`;
  return { contentType, content: value === null ? "" : String(value) };
}

/** Fields that are objects are JSON unless their encoding names a style (OpenAPI 3.1, 4.8.15). */
function form(fields: JsonObject, encoding: JsonObject): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === undefined || value === null ? [] : pairsOf(name, value, encodingOf(encoding, name)),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function pairsOf(name: string, value: JsonValue, encoding: JsonObject) {
  const style = STYLES.find((style) => style === encoding.style);
  const explode = typeof encoding.explode === "boolean" ? encoding.explode : (style ?? "form") === "form";
  const writing = {
    name,
    style: style ?? "form",
    explode,
    allowReserved: encoding.allowReserved === true,
    isForm: true,
  };
  return serializePairs(writing, isJsonObject(value) && !style ? writeJson(value) : value);
}

const STYLES: readonly ParameterStyle[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** One part for each item of an array; objects as JSON; a field of bytes, or whose encoding has a content type, is sent as a file. */
async function multipart(fields: JsonObject, encoding: JsonObject, files: readonly string[]): Promise<SerializedBody> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const { contentType } = encodingOf(encoding, name);
    for (const item of Array.isArray(value) ? value : [value]) {
      const isObject = typeof item === "object" && item !== null;
      const text = isObject ? writeJson(item) : String(item);
      const usual = isObject ? "application/json" : files.includes(name) ? "application/octet-stream" : undefined;
      const type = typeof contentType === "string" ? contentType.split(",", 1)[0] : usual;
      if (type === undefined) data.append(name, text);
      else data.append(name, new Blob([text], { type }), name);
    }
  }
  const written = new Response(data);
  return {
    contentType: written.headers.get("content-type") ?? "multipart/form-data",
    content: new Uint8Array(await written.arrayBuffer()),
  };
}

function encodingOf(encoding: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isJsonObject(found) ? found : {};
}
