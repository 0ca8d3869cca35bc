import { QueryError, type ResultSet, type SqlSource, type TableSchema } from "#warehouse";
import { stem } from "../context/tokenizer.ts";

/** Maximum distinct values that are read of a column. */
const MAX_VALUES = 200;
/** Rows of a table that are looked at before all distinct values of a column are read. */
const SAMPLE_ROWS = 20_000;
/** Columns of one statement over the sample. */
const SAMPLE_COLUMNS = 40;
/** Milliseconds for one statement. */
const STATEMENT_MS = 5_000;
const TEMPORAL = new Set(["DATE", "DATETIME", "TIMESTAMP"]);

/** What is known of the values in a table, by column. A column is missing where it has too many values, or where reading them failed. */
export interface TableProfile {
  /** All distinct values of a text column, most frequent first. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Values of text columns that have too many to list, so that a question can name one; not all where there are more than 10,000. */
  readonly indexed: Readonly<Record<string, readonly string[]>>;
  /** Columns named like an identifier that have another value in each row, where the table declares no key. */
  readonly keys: readonly string[];
  /** Columns of whole numbers in which there is 0, and 1, and nothing else. */
  readonly flags: readonly string[];
  /** First and last day of a column of time, as ISO dates. */
  readonly ranges: Readonly<Record<string, { readonly first: string; readonly last: string }>>;
}

/** Limits of profiling one table. */
export interface Reading {
  /** Characters of `indexed` in all. Default 400,000. */
  readonly maxIndexed?: number;
  /** Bytes that one query may bill: values and ranges are optional. */
  readonly maxScannedBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the values of a table column by column (CA-34): a column whose values are many in the first rows is left out, so that no statement
 * collects millions of them. Rejects only when the signal is aborted.
 */
export async function profileTable(source: SqlSource, schema: TableSchema, reading: Reading): Promise<TableProfile> {
  if (schema.rowCount === 0 && source.dialect === "duckdb")
    return { values: {}, indexed: {}, keys: [], flags: [], ranges: {} };
  const ranges = await rangesOf(source, schema, reading);
  const keys = await keysOf(source, schema, reading);
  const flags = await flagsOf(source, schema, reading);
  const values: Record<string, readonly string[]> = {};
  const { few, many } = await textColumns(source, schema, reading);
  for (const column of few) {
    const { maxScannedBytes, signal } = reading;
    const found = await orUndefined(
      source.distinctValues(schema.path, column, MAX_VALUES, signal, maxScannedBytes),
      signal,
    );
    if (found) values[column] = found;
    else many.push(column);
  }
  return { values, keys, flags, ranges, indexed: await indexedValues(source, schema, many, reading) };
}

/** Columns of one table whose many values are read, at most. */
const INDEXED_COLUMNS = 20;
/** Values that are read of one column with many. */
const INDEXED_VALUES = 10_000;
/** Rows in which they are looked for, so that no statement collects hundreds of millions. */
const INDEXED_ROWS = 1_000_000;
/** A longer value is no name that a question repeats. */
const INDEXED_LENGTH = 80;
const MAX_INDEXED = 400_000;
/** Rows of a table whose columns are read by one statement; of a larger one, each is read by its own. */
const SMALL_TABLE = 50_000;

/** Values of columns with many. BigQuery would bill the whole column for them: there none is read. */
async function indexedValues(
  source: SqlSource,
  { path, rowCount }: TableSchema,
  columns: readonly string[],
  reading: Reading,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const indexed: Record<string, string[]> = {};
  if (source.dialect === "googlesql") return indexed;
  let left = reading.maxIndexed ?? MAX_INDEXED;
  const valuesOf = (column: string, at: number) => {
    const name = source.quoteName(column);
    const rows = `SELECT ${name} AS v FROM ${source.quoteTable(path)} WHERE ${name} IS NOT NULL LIMIT ${INDEXED_ROWS}`;
    // The most frequent ones: of more values than are kept, each reading keeps the same.
    const named = `SELECT v FROM (${rows}) AS r WHERE length(v) <= ${INDEXED_LENGTH} GROUP BY v ORDER BY count(*) DESC, v LIMIT ${INDEXED_VALUES}`;
    return `SELECT ${at} AS n, v FROM (${named}) AS d${at}`;
  };
  const batch = rowCount !== undefined && rowCount <= SMALL_TABLE ? INDEXED_COLUMNS : 1;
  const chosen = columns.slice(0, INDEXED_COLUMNS);
  for (let at = 0; at < chosen.length && left > 0; at += batch) {
    const names = chosen.slice(at, at + batch);
    const limits = { maxRows: names.length * INDEXED_VALUES, maxBytes: 2 * left + 100_000 };
    for (const [number, value] of await rowsOf(source, names.map(valuesOf).join(" UNION ALL "), limits, reading)) {
      const column = names[Number(number)];
      if (column === undefined || typeof value !== "string" || value.length > left) continue;
      left -= value.length;
      const known = indexed[column];
      if (known) known.push(value);
      else indexed[column] = [value];
    }
  }
  return indexed;
}

/** Text columns that may have few values, and those with many. BigQuery bills whole columns for any number of rows: there none is looked at before. */
async function textColumns(
  source: SqlSource,
  { path, columns }: TableSchema,
  reading: Reading,
): Promise<{ readonly few: readonly string[]; readonly many: string[] }> {
  const texts = columns.filter(({ type, mode }) => type === "STRING" && mode !== "REPEATED").map(({ name }) => name);
  if (source.dialect === "googlesql") return { few: texts, many: [] };
  const [few, many]: [string[], string[]] = [[], []];
  for (let at = 0; at < texts.length; at += SAMPLE_COLUMNS) {
    const names = texts.slice(at, at + SAMPLE_COLUMNS);
    const quoted = names.map(source.quoteName);
    const counts = quoted.map((name, number) => `count(DISTINCT ${name}) AS n${number}`).join(", ");
    const sample = `SELECT ${quoted.join(", ")} FROM ${source.quoteTable(path)} LIMIT ${SAMPLE_ROWS}`;
    const row = await firstRow(source, `SELECT ${counts} FROM (${sample}) AS s`, reading);
    if (!row) continue;
    names.forEach((name, number) => {
      (Number(row[number]) <= MAX_VALUES ? few : many).push(name);
    });
  }
  return { few, many };
}

/** Columns of a table that may identify its rows, at most. */
const MOST_KEYS = 8;
/** Names of identifiers: `customer_id`, `CUSTOMER_ID`, `orderId`, `EmpNo`, `LagerNr`, `invoice number`. */
const KEY_NAMES = [
  /(^|[_\s])(id|key|uuid|code)$/i,
  /[_\s](no|nr|num|number|nummer)$/i,
  /[a-z](Id|ID|Key|No|Nr|Num|Number)$/,
];

/** Counting the values of a whole column bills it in BigQuery: there none is proposed. */
async function keysOf(source: SqlSource, { path, columns, primaryKey }: TableSchema, reading: Reading) {
  const plain = columns.filter(({ type, mode }) => /^(STRING|INT64)$/.test(type) && mode !== "REPEATED");
  const identifying = plain.filter(({ name }) => KEY_NAMES.some((named) => named.test(name)));
  // A column tank of tanks is the key only where no other is.
  const own = plain.filter(({ name, type }) => type === "STRING" && stem(name) === stem(path.at(-1) ?? ""));
  const names = [...identifying.slice(0, MOST_KEYS), ...own].map(({ name }) => name);
  if (primaryKey || source.dialect === "googlesql" || names.length === 0) return [];
  const counts = names.map((name, at) => `count(DISTINCT ${source.quoteName(name)}) AS n${at}`);
  const row = await firstRow(
    source,
    `SELECT count(*) AS n, ${counts.join(", ")} FROM ${source.quoteTable(path)}`,
    reading,
  );
  return names.filter((_, at) => row !== undefined && Number(row[0]) > 0 && row[at + 1] === row[0]);
}

/** Columns of whole numbers that are 0 and 1 alone: first in some rows, then the few that are left in all. BigQuery has booleans, and bills whole columns. */
async function flagsOf(source: SqlSource, { path, columns }: TableSchema, reading: Reading) {
  if (source.dialect === "googlesql") return [];
  const numbers = columns.filter(({ type, mode }) => type === "INT64" && mode !== "REPEATED").map(({ name }) => name);
  const table = source.quoteTable(path);
  const flags: string[] = [];
  for (let at = 0; at < numbers.length; at += SAMPLE_COLUMNS) {
    const names = numbers.slice(at, at + SAMPLE_COLUMNS);
    const quoted = names.map(source.quoteName).join(", ");
    const sample = `(SELECT ${quoted} FROM ${table} LIMIT ${SAMPLE_ROWS}) AS s`;
    const likely = await zeroAndOne(source, names, sample, reading);
    flags.push(...(await zeroAndOne(source, likely, table, reading)));
  }
  return flags;
}

/** Those of the columns whose least value is 0 and whose largest is 1. */
async function zeroAndOne(source: SqlSource, names: readonly string[], from: string, reading: Reading) {
  if (names.length === 0) return [];
  const ends = names.flatMap((name, at) => {
    const quoted = source.quoteName(name);
    return [`min(${quoted}) AS a${at}`, `max(${quoted}) AS b${at}`];
  });
  const row = await firstRow(source, `SELECT ${ends.join(", ")} FROM ${from}`, reading);
  return names.filter((_, at) => row?.[2 * at] === "0" && row[2 * at + 1] === "1");
}

async function rangesOf(source: SqlSource, { path, columns }: TableSchema, reading: Reading) {
  const names = columns.filter(({ type, mode }) => TEMPORAL.has(type) && mode !== "REPEATED").map(({ name }) => name);
  const ranges: Record<string, { readonly first: string; readonly last: string }> = {};
  if (names.length === 0) return ranges;
  const ends = names.flatMap((name, at) => {
    const quoted = source.quoteName(name);
    return [`min(${quoted}) AS a${at}`, `max(${quoted}) AS b${at}`];
  });
  const row = await firstRow(source, `SELECT ${ends.join(", ")} FROM ${source.quoteTable(path)}`, reading);
  names.forEach((name, at) => {
    const [first, last] = [row?.[2 * at], row?.[2 * at + 1]];
    if (typeof first !== "string" || typeof last !== "string") return;
    ranges[name] = { first: first.slice(0, 10), last: last.slice(0, 10) };
  });
  return ranges;
}

async function firstRow(source: SqlSource, sql: string, reading: Reading) {
  const [row] = await rowsOf(source, sql, { maxRows: 1, maxBytes: 100_000 }, reading);
  return row;
}

async function rowsOf(
  source: SqlSource,
  sql: string,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
  { maxScannedBytes, signal }: Reading,
): Promise<ResultSet["rows"]> {
  const limits = { maxRows, maxBytes, timeoutMs: STATEMENT_MS, maxScannedBytes };
  const result = await orUndefined(source.query({ sql, limits, signal }), signal);
  return result?.rows ?? [];
}

/** A profile never fails a question: what cannot be read is not known. */
async function orUndefined<Result>(read: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
