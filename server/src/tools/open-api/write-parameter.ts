import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { OperationParameter, ParameterStyle } from "./operation.ts";

/** How a value is written, as OpenAPI 3 says by `style` and `explode`. */
export interface WritingStyle {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

/** Names and values of a query, a form or cookies, encoded. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A parameter of the path, without the slash: simple, label or matrix. */
export function writePathParameter(parameter: OperationParameter, value: JsonValue): string {
  const { name, style, explode } = parameter;
  if (parameter.contentType !== undefined) return encode(JSON.stringify(value), false);
  if (style === "label") return `.${simple(value, explode, explode ? "." : ",", plain)}`;
  if (style === "matrix") return matrix(name, value, explode);
  return simple(value, explode, ",", plain);
}

/** The value of a header: simple, as it is. */
export function writeHeader({ explode, contentType }: OperationParameter, value: JsonValue): string {
  if (contentType !== undefined) return JSON.stringify(value);
  return simple(value, explode, ",", (text) => text);
}

/** A parameter of query, form or cookies: form, spaceDelimited, pipeDelimited or deepObject. */
export function writePairs(writing: WritingStyle, value: JsonValue): Pairs {
  const { name, style, explode, allowReserved } = writing;
  const key = encode(name, false);
  const write = (text: string) => encode(text, allowReserved);
  if (style === "deepObject") return deep(key, value, write);
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

/** What has no encoded form of its own in a query is encoded (OpenAPI 3.1.1, appendix E). */
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

/** Fields of fields are written the same way, lists as one pair for each item. */
function deep(key: string, value: JsonValue, write: (text: string) => string): Pairs {
  if (Array.isArray(value)) return value.flatMap((item) => deep(key, item, write));
  if (!isJsonObject(value)) return [[key, write(textOf(value))]];
  return fieldsOf(value).flatMap(([field, item]) => deep(`${key}%5B${encode(field, false)}%5D`, item, write));
}

function fieldsOf(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).flatMap(([name, item]) => (item === undefined || item === null ? [] : [[name, item]]));
}

/** Values inside values have no form of their own. */
function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
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
