import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { hasMoreJsonValues, isJsonObject, type JsonObject, type JsonValue, thrownMessage } from "#base";
import { COLUMNS } from "./csv-steps.ts";

/** The lists of an evaluation file. */
const LISTS = ["evaluations", "evaluationResults", "evaluationRuns"] as const;

/** What a text has, in batches that are lists as JSON: each can be read by itself, and passes from thread to thread as it is. */
export type EntryTexts =
  /** An evaluation file: batches of `EntryValue` by list. */
  | { readonly kind: "file"; readonly lists: Readonly<Record<(typeof LISTS)[number], readonly string[]>> }
  /** A table: its header, and batches of `TableRow`. */
  | { readonly kind: "table"; readonly header: readonly string[]; readonly rows: readonly string[] }
  /** Neither; `description` completes "The content …". */
  | { readonly kind: "unreadable"; readonly description: string };

/** An entry of an evaluation file, or why it cannot be read. */
export type EntryValue = { readonly value: JsonValue } | { readonly problem: string };

/** A row of a table with the cells of known columns. */
export interface TableRow {
  /** Line of the file on which the row ends, from 1. */
  readonly line: number;
  /** Trimmed texts by column; those that are empty are left out. */
  readonly cells: Readonly<Record<string, string>>;
  /** Why the row cannot be read: a text in it has no column. */
  readonly problem?: string;
}

/** Entries or rows of one import, at most. */
const MAX_ENTRIES = 100_000;
/** Values of one entry, at most: as many as of a message. */
const MAX_VALUES = 100_000;
/** Columns of a table, at most. */
const MAX_COLUMNS = 1_000;
/** Characters of a batch from which on the next begins. */
const BATCH_LENGTH = 32 * 1024;

/** Reads a text as an evaluation file in JSON or YAML, or as a table (EVAL-100, EVAL-101). It takes seconds for a text of many megabytes. */
export function entryTexts(text: string): EntryTexts {
  return FILE_BEGIN.test(text) ? fileTexts(text) : tableTexts(text);
}

/** How an evaluation file begins, behind comments and document marks of YAML: JSON, one of its lists, or what `isForAnchors`. */
const FILE_BEGIN = /^(?:\s|#[^\n]*\n|---[^\n]*\n)*(?:[{[]|(?:evaluations|evaluationResults|evaluationRuns|_\w*)\s*:)/;

/** Whether a key is no list, and holds values that the entries refer to by anchors (EVAL-114). */
function isForAnchors(key: string): boolean {
  return key.startsWith("_");
}

function fileTexts(text: string): EntryTexts {
  let content: unknown;
  try {
    content = /^\s*[{[]/.test(text) ? JSON.parse(text) : parseYaml(text, { merge: true });
  } catch (error) {
    return unreadable(`is neither JSON nor YAML: ${thrownMessage(error)}`);
  }
  if (!isJsonObject(content)) return unreadable(`must be an object with the lists ${LISTS.join(", ")}.`);
  const unknown = Object.keys(content).find((key) => !(LISTS as readonly string[]).includes(key) && !isForAnchors(key));
  if (unknown !== undefined)
    return unreadable(`'${unknown}' is not a list of an evaluation file; those are ${LISTS.join(", ")}.`);
  const noList = LISTS.find((list) => !Array.isArray(listIn(content, list)));
  if (noList) return unreadable(`'${noList}' must be a list.`);
  const entries = (list: (typeof LISTS)[number]) => listIn(content, list) as readonly JsonValue[];
  if (LISTS.some((list) => entries(list).length > MAX_ENTRIES))
    return unreadable(`a list has more than ${MAX_ENTRIES} entries; import them in parts.`);
  const batches = (list: (typeof LISTS)[number]) => inBatches(entries(list).map(entryText));
  return {
    kind: "file",
    lists: {
      evaluations: batches("evaluations"),
      evaluationResults: batches("evaluationResults"),
      evaluationRuns: batches("evaluationRuns"),
    },
  };
}

function listIn(content: JsonObject, list: string): JsonValue {
  return content[list] ?? [];
}

function entryText(value: JsonValue): string {
  let problem = `has more than ${MAX_VALUES} values.`;
  try {
    const text = JSON.stringify({ value });
    if (!hasMoreJsonValues(Buffer.from(text), MAX_VALUES)) return text;
  } catch (error) {
    problem = thrownMessage(error);
  }
  return JSON.stringify({ problem });
}

function tableTexts(text: string): EntryTexts {
  let records: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    const delimiter = delimiterOf(text);
    const options = { delimiter, bom: true, info: true, skip_empty_lines: true, relax_column_count: true };
    records = parseCsv(text, options) as never;
  } catch (error) {
    return unreadable(`is not a CSV table: ${thrownMessage(error)}`);
  }
  const header = records[0]?.record.map((name) => name.trim()) ?? [];
  if (header.length > MAX_COLUMNS)
    return unreadable(`has ${header.length} columns; a table has at most ${MAX_COLUMNS}.`);
  if (records.length > MAX_ENTRIES)
    return unreadable(`has ${records.length} rows; a table has at most ${MAX_ENTRIES}. Import it in parts.`);
  const twice = header.find((name, place) => COLUMNS.has(name) && header.indexOf(name) !== place);
  if (twice !== undefined) return unreadable(`The header has the column ${twice} twice; only one can be read.`);
  const places = [...header.entries()].filter(([, name]) => COLUMNS.has(name));
  const rows = records.slice(1).map(({ record, info }) => {
    const cells = places.map(([place, name]) => [name, record[place]?.trim() ?? ""] as const);
    const row = { line: info.lines, cells: Object.fromEntries(cells.filter(([, cell]) => cell !== "")) };
    const lost = record.findIndex((cell, place) => place >= header.length && cell.trim() !== "");
    if (lost === -1) return JSON.stringify(row);
    const problem = `the row has a ${lost + 1}th cell, '${record[lost]?.trim().slice(0, 100)}', and the header has ${header.length} columns. Put a text that has the separator in it in quotation marks.`;
    return JSON.stringify({ ...row, problem });
  });
  return { kind: "table", header, rows: inBatches(rows) };
}

/** What separates the cells of the first line: spreadsheets write what their language has for it. */
function delimiterOf(text: string): string {
  const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
  const count = (separator: string) => line.split(separator).length;
  return [";", "\t"].find((separator) => count(separator) > count(",")) ?? ",";
}

function inBatches(texts: readonly string[]): readonly string[] {
  const batches: string[] = [];
  let batch: string[] = [];
  let length = 0;
  const close = () => {
    if (batch.length > 0) batches.push(`[${batch.join(",")}]`);
    batch = [];
    length = 0;
  };
  for (const text of texts) {
    if (length > BATCH_LENGTH) close();
    batch.push(text);
    length += text.length;
  }
  close();
  return batches;
}

function unreadable(description: string): EntryTexts {
  return { kind: "unreadable", description };
}
