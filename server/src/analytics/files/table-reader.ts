import type { JsonValue } from "#base";
import { invalidArgument } from "#status";
import { type Conversion, convertedColumn, presentText, QueryError, type SqlSource, type TablePath } from "#warehouse";

/** Milliseconds for one statement over an uploaded table. */
const STATEMENT_MS = 60_000;
const MAX_BYTES = 8_000_000;
/** Columns of one statement: conversions have many conditions, of which a statement may have a thousand (CA-32). */
const COLUMNS_AT_ONCE = 8;
const SAMPLES = 8;
const SAMPLE_LENGTH = 120;

/** A column, and how its values are read; default as they are stored. */
interface ReadColumn {
  readonly name: string;
  readonly conversion?: Conversion | undefined;
}

/** What is read of the values of a column. */
interface ColumnFacts {
  readonly empty: number;
  readonly distinct: number;
  /** Of the first rows, one each; "" for an empty cell. */
  readonly samples: readonly string[];
}

/** Statements over one uploaded table, within limits of their own. */
export interface TableReader {
  count(): Promise<number>;
  facts(columns: readonly ReadColumn[], rows: number): Promise<readonly ColumnFacts[]>;
  /** For each conversion of a column: values that have not its form, and three of them. `rows`: of how many first rows; default all. */
  failures(checks: readonly ReadColumn[], rows?: number): Promise<readonly Failures[]>;
  /** One row of expressions over the table. */
  row(expressions: readonly string[], rows?: number): Promise<readonly JsonValue[]>;
  quote(column: string): string;
}

interface Failures {
  /** Values that are there. */
  readonly present: number;
  readonly failed: number;
  readonly examples: readonly string[];
}

/** Reads one table by statements, each with a limit of its own for time and size. */
export function createTableReader(source: SqlSource, path: TablePath, signal: AbortSignal): TableReader {
  const table = source.quoteTable(path);
  const quote = (column: string) => source.quoteName(column);
  const query = async (sql: string, maxRows: number) => {
    const limits = { maxRows, maxBytes: MAX_BYTES, timeoutMs: STATEMENT_MS };
    return (await source.query({ sql, limits, signal }).catch(unreadable)).rows;
  };
  const row = async (expressions: readonly string[], rows?: number) => {
    const from = rows === undefined ? table : `(SELECT * FROM ${table} LIMIT ${rows}) AS t`;
    return (await query(`SELECT ${expressions.join(", ")} FROM ${from}`, 1))[0] ?? [];
  };
  const readAs = ({ name, conversion }: ReadColumn) =>
    conversion ? convertedColumn(quote(name), conversion) : quote(name);

  async function factsOf(columns: readonly ReadColumn[], rows: number): Promise<readonly ColumnFacts[]> {
    // Counting millions of values exactly takes more memory than the number is worth.
    const distinct = (value: string) =>
      rows > 1_000_000 ? `approx_count_distinct(${value})` : `count(DISTINCT ${value})`;
    const counts = await row(columns.map(readAs).flatMap((value) => [`count(*) - count(${value})`, distinct(value)]));
    const shown = columns.map((column) => `left(CAST(${readAs(column)} AS VARCHAR), ${SAMPLE_LENGTH})`);
    const first = await query(
      `SELECT ${shown.map((value, at) => `${value} AS s${at}`).join(", ")} FROM ${table} LIMIT ${SAMPLES}`,
      SAMPLES,
    );
    return columns.map((_, at) => ({
      empty: Number(counts[2 * at]),
      distinct: Number(counts[2 * at + 1]),
      samples: first.map((cells) => (typeof cells[at] === "string" ? cells[at] : "")),
    }));
  }

  async function failuresOf(checks: readonly ReadColumn[], rows?: number): Promise<readonly Failures[]> {
    const found = await row(
      checks.flatMap(({ name, conversion }) => {
        if (!conversion) return ["0", "0", "NULL"];
        const present = presentText(quote(name));
        const failed = `${present} IS NOT NULL AND ${convertedColumn(quote(name), conversion)} IS NULL`;
        const examples = `list_slice(list(DISTINCT left(${present}, 60)) FILTER (WHERE ${failed}), 1, 3)`;
        return [`count(${present})`, `count(*) FILTER (WHERE ${failed})`, rows === undefined ? examples : "NULL"];
      }),
      rows,
    );
    return checks.map((_, at) => {
      const examples = found[3 * at + 2];
      return {
        present: Number(found[3 * at]),
        failed: Number(found[3 * at + 1]),
        examples: Array.isArray(examples) ? examples.map(String) : [],
      };
    });
  }

  return {
    quote,
    row,
    count: async () => Number((await row(["count(*)"]))[0]),
    facts: (columns, rows) => inBatches(columns, (batch) => factsOf(batch, rows)),
    failures: (checks, rows) => inBatches(checks, (batch) => failuresOf(batch, rows)),
  };
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += COLUMNS_AT_ONCE)
    results.push(...(await work(items.slice(at, at + COLUMNS_AT_ONCE))));
  return results;
}

/** A file of which the engine cannot read a value is the uploader's to mend. */
function unreadable(error: unknown): never {
  if (!(error instanceof QueryError) || error.kind === "cancelled") throw error;
  throw invalidArgument({ field: "content", description: `The file cannot be read: ${error.message}` });
}
