import { parse as parseCsv } from "csv-parse/sync";
import { isJsonObject, type JsonObject, type JsonValue, textOrJson, thrownMessage } from "#base";
import { DocumentFault, MAX_ROWS, type ParsedDocument } from "./parsed-document.ts";

/** A table with a header row: each row is a document, or a question with its answer when it has these columns. */
export function parseTable(text: string, delimiter: string): readonly ParsedDocument[] {
  let rows: Record<string, string>[];
  try {
    rows = parseCsv(text, {
      columns: (header: string[]) => header.map((name, at) => name.trim() || `column_${at + 1}`),
      delimiter,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      to: MAX_ROWS,
    });
  } catch (error) {
    throw new DocumentFault(`it is not a table: ${thrownMessage(error)}`);
  }
  return rows.map((row) => recordDocument(row));
}

/** JSON Lines with a document on each line; or one JSON value, whose items are documents when it is an array. */
export function parseJsonRecords(text: string, lines: boolean): readonly ParsedDocument[] {
  const values = lines
    ? jsonLines(text)
    : [readJson(text, "it")].flatMap((value) => (Array.isArray(value) ? value : value));
  return values.slice(0, MAX_ROWS).map((value) => recordDocument(isJsonObject(value) ? value : { value }));
}

function jsonLines(text: string): JsonValue[] {
  return text
    .split("\n")
    .map((line, at) => ({ line: line.trim(), at }))
    .filter(({ line }) => line !== "")
    .map(({ line, at }) => readJson(line, `line ${at + 1}`));
}

function readJson(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as JsonValue;
  } catch {
    throw new DocumentFault(`${what} is not JSON`);
  }
}

/**
 * A record as a document: in the import format of Vertex AI Search (`id`, `structData` or `jsonData`, `content`), a question with its
 * answer, or any fields.
 */
function recordDocument(record: JsonObject): ParsedDocument {
  const data = structData(record) ?? record;
  const field = (...names: readonly string[]) => textAt(data, names);
  const question = field("question");
  const answer = field("answer");
  const uri = field("url", "uri", "link");
  if (question !== "" && answer !== "")
    return { title: field("title") || question, uri, sections: [{ heading: question, text: answer }], data };
  const text = Object.entries(data)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${textOrJson(value)}`)
    .join("\n");
  return { title: field("title", "name") || String(record.id ?? ""), uri, sections: [{ heading: "", text }], data };
}

/** The metadata of a record in the import format of Vertex AI Search; undefined for any other record. */
export function structData(record: JsonObject): JsonObject | undefined {
  if (isJsonObject(record.structData)) return record.structData;
  if (isJsonObject(record.struct_data)) return record.struct_data;
  if (typeof record.jsonData !== "string") return undefined;
  const parsed = readJson(record.jsonData, "jsonData");
  return isJsonObject(parsed) ? parsed : undefined;
}

function textAt(data: JsonObject, names: readonly string[]): string {
  for (const [name, value] of Object.entries(data))
    if (names.includes(name.trim().toLowerCase()) && typeof value === "string" && value !== "") return value;
  return "";
}
