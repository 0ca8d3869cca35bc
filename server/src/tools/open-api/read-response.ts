import { isUtf8 } from "node:buffer";
import {
  decodeText,
  type EgressResponse,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  parseJson,
} from "#base";
import type { Operation } from "./read-operation.ts";

/** The function response of an operation, or its error message. */
type ReadResponse =
  | { readonly kind: "response"; readonly response: JsonObject }
  | { readonly kind: "error"; readonly error: string };

/** Longest quotation of an error response, characters. */
const MAX_ERROR_TEXT = 2_000;

/**
 * Reads a response: a JSON object unchanged, other JSON and text of any media type as `{"output": …}` (the contract of function responses). Status
 * 300 and above, HTML where another media type is documented, invalid JSON and bytes that are no text are errors that name the cause.
 */
export function readResponse(
  operation: Operation,
  { status, statusText, headers, body }: EgressResponse,
  ignoreUnknownFields: boolean,
): ReadResponse {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const text = decodeText(body, headers["content-type"]);
  const title = `${operation.method.toUpperCase()} ${operation.path} answered ${status}${statusText ? ` ${statusText}` : ""}`;
  if (status >= 300) {
    const quoted = type === "text/html" ? "a page of HTML" : clip(text.trim());
    return error(`${quoted === "" ? `${title}.` : `${title}: ${quoted}`}${retryAdvice(headers["retry-after"])}`);
  }
  if (text.trim() === "") return { kind: "response", response: {} };
  if (type === "text/html" && !operation.accepts.some((accepted) => /^text\/(?:html|\*)/i.test(accepted)))
    return error(
      `${title} with a page of HTML where ${operation.accepts[0] ?? "JSON"} is expected; the server URL may be wrong.`,
    );
  if (/\bjson$/.test(type) || (!type.startsWith("text/") && isJsonDocument(text)))
    return readJson(text, title, operation, ignoreUnknownFields);
  if (isText(type, body)) return { kind: "response", response: { output: text } };
  return error(`${title} with ${body.length} bytes of ${type}, which an agent cannot read.`);
}

/** Whether a text that is not declared as JSON is an object or an array in it: servers send such as `application/octet-stream`, too. */
function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a body is text: its media type says so, or it is UTF-8 without control characters. Media types do not tell: NDJSON, SQL, JavaScript
 * and PEM are `application/…`, as PDF is.
 */
function isText(type: string, body: Uint8Array): boolean {
  if (type === "" || type.startsWith("text/") || /^application\/xml$|\+xml$/.test(type)) return true;
  return !/^(?:image|audio|video|font)\//.test(type) && isUtf8(body) && !body.some(isControl);
}

/** NUL and the other control characters that no text has; tab, line feed, form feed and carriage return are text. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d;
}

/** When a server that refuses wants to be asked again: the model can tell the user, and does not try again at once. */
function retryAdvice(retryAfter: string | undefined): string {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return ` (Retry after ${text} s.)`;
  return Number.isNaN(Date.parse(text)) ? "" : ` (Retry after ${new Date(Date.parse(text)).toISOString()}.)`;
}

function readJson(text: string, title: string, { response }: Operation, ignoreUnknownFields: boolean): ReadResponse {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return error(`${title} with invalid JSON.`);
  }
  const known = ignoreUnknownFields && response ? withoutUnknown(value, response) : value;
  return { kind: "response", response: isJsonObject(known) ? known : { output: known } };
}

/** Removes fields that a schema does not have. A schema without properties, or with additional ones allowed, keeps all. */
function withoutUnknown(value: JsonValue, schema: JsonObject): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isJsonObject(items) ? value.map((item) => withoutUnknown(item, items)) : value;
  }
  if (!isJsonObject(value)) return value;
  const properties = fieldsOf(schema);
  if (Object.keys(properties).length === 0) return value;
  const { additionalProperties: additional } = schema;
  const fields = Object.entries(value).flatMap(([name, field]): [string, JsonValue][] => {
    if (field === undefined) return [];
    const known = Object.hasOwn(properties, name) ? properties[name] : additional === true ? {} : additional;
    return isJsonObject(known) ? [[name, withoutUnknown(field, known)]] : [];
  });
  return Object.fromEntries(fields);
}

/** A union has the properties of all its members. */
function fieldsOf({ properties, anyOf }: JsonObject): JsonObject {
  const members = objectsIn(anyOf).map(fieldsOf);
  return Object.assign({}, ...members, isJsonObject(properties) ? properties : {});
}

function error(text: string): ReadResponse {
  return { kind: "error", error: text };
}

function clip(text: string): string {
  return text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT)}…` : text;
}
