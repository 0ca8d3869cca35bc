import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { OperationBody, ParameterStyle } from "./operation.ts";
import { writePairs } from "./write-parameter.ts";

/** A body as it is sent. */
export interface WrittenBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Writes a body in its media type; a sentence without a full stop when a value has no form in it. */
export async function writeBody(
  { contentType, encoding }: OperationBody,
  value: JsonValue,
): Promise<WrittenBody | string> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type.endsWith("+json")) return { contentType, content: JSON.stringify(value) };
  if (type === "application/x-www-form-urlencoded")
    return isJsonObject(value) ? { contentType, content: form(value, encoding) } : "a form has named fields";
  if (type === "multipart/form-data")
    return isJsonObject(value) ? multipart(value, encoding) : "a form has named fields";
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
  const style = STYLES.find((known) => known === encoding.style);
  const explode = typeof encoding.explode === "boolean" ? encoding.explode : (style ?? "form") === "form";
  const writing = { name, style: style ?? "form", explode, allowReserved: encoding.allowReserved === true };
  return writePairs(writing, isJsonObject(value) && !style ? JSON.stringify(value) : value);
}

const STYLES: readonly ParameterStyle[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** One part for each item of a list; objects as JSON; a field whose encoding names a type is sent as a file of it. */
async function multipart(fields: JsonObject, encoding: JsonObject): Promise<WrittenBody> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const { contentType } = encodingOf(encoding, name);
    for (const item of Array.isArray(value) ? value : [value]) {
      const isObject = typeof item === "object" && item !== null;
      const text = isObject ? JSON.stringify(item) : String(item);
      const type =
        typeof contentType === "string" ? contentType.split(",", 1)[0] : isObject ? "application/json" : undefined;
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
