import { type EgressResponse, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { Operation } from "./read-operation.ts";

/** What an answer is to the agent. */
export type ReadResponse =
  | { readonly kind: "answer"; readonly response: JsonObject }
  | { readonly kind: "error"; readonly error: string };

/** Characters of an error's text that are told. */
const MOST_ERROR_TEXT = 2_000;

/**
 * Reads an answer: an object of JSON as it is, anything else as `{"output": …}` (the contract of tool responses). A status from
 * 400 on, HTML where none was promised and JSON that is none are errors that name the cause.
 */
export function readResponse(
  operation: Operation,
  { status, statusText, headers, body }: EgressResponse,
  ignoreUnknownFields: boolean,
): ReadResponse {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const text = new TextDecoder().decode(body);
  const title = `${operation.method.toUpperCase()} ${operation.path} answered ${status}${statusText ? ` ${statusText}` : ""}`;
  if (status >= 300) {
    const told = type === "text/html" ? "a page of HTML" : clip(text.trim());
    return error(told === "" ? `${title}.` : `${title}: ${told}`);
  }
  if (text.trim() === "") return { kind: "answer", response: {} };
  if (type === "text/html" && !operation.accepts.some((accepted) => /^text\/(?:html|\*)/i.test(accepted)))
    return error(
      `${title} with a page of HTML where ${operation.accepts[0] ?? "JSON"} is expected; the server URL may be wrong.`,
    );
  const isJson = /\bjson$/.test(type) || (type === "" && /^\s*[[{]/.test(text));
  if (!isJson) {
    if (/^(?:text\/|application\/(?:xml|x-www-form-urlencoded|yaml)|.*\+xml$)/.test(type) || type === "")
      return { kind: "answer", response: { output: text } };
    return error(`${title} with ${body.length} bytes of ${type}, which an agent cannot read.`);
  }
  return readJson(text, title, operation, ignoreUnknownFields);
}

function readJson(text: string, title: string, { response }: Operation, ignoreUnknownFields: boolean): ReadResponse {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return error(`${title} with what is no JSON although it says so.`);
  }
  const known = ignoreUnknownFields && response ? withoutUnknown(value, response) : value;
  return { kind: "answer", response: isJsonObject(known) ? known : { output: known } };
}

/** A value without the fields that a schema does not have. A schema that names no fields, or allows others, keeps all. */
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

/** A union knows what any of its members knows. */
function fieldsOf({ properties, anyOf }: JsonObject): JsonObject {
  const members = (Array.isArray(anyOf) ? anyOf : []).filter(isJsonObject).map(fieldsOf);
  return Object.assign({}, ...members, isJsonObject(properties) ? properties : {});
}

function error(text: string): ReadResponse {
  return { kind: "error", error: text };
}

function clip(text: string): string {
  return text.length > MOST_ERROR_TEXT ? `${text.slice(0, MOST_ERROR_TEXT)}…` : text;
}
