import { setImmediate as breathe } from "node:timers/promises";
import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBTimestampValue } from "@duckdb/node-api";
import type { TablePath } from "../contract.ts";
import { type ColumnKind, findKind } from "./column-kind.ts";
import type { Cell, RowSource } from "./table-file.ts";

/** Rows after which others get their turn. */
const ROWS_AT_ONCE = 2_000;

/** Writes a table of a file into the engine, in place of what was there; all of it or nothing. */
export async function copyTable(connection: DuckDBConnection, path: TablePath, source: RowSource): Promise<void> {
  const kinds = await kindsOf(source);
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const columns = source.columns.map(({ name }, at) => `${quoted(name)} ${kinds[at]}`);
  const [project = "", dataset = "", table = ""] = path;
  await connection.run("BEGIN TRANSACTION");
  try {
    await connection.run(`CREATE OR REPLACE TABLE ${path.map(quoted).join(".")} (${columns.join(", ")})`);
    const appender = await connection.createAppender(table, dataset, project);
    await appendRows(appender, source, kinds);
    appender.closeSync();
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
}

async function kindsOf(source: RowSource): Promise<readonly ColumnKind[]> {
  const finders = source.columns.map(findKind);
  await eachRow(source, (row) =>
    finders.forEach((finder, at) => {
      finder.see(row[at] ?? null);
    }),
  );
  return finders.map((finder, at) => finder.kind(source.columns[at]?.declared));
}

async function appendRows(appender: DuckDBAppender, source: RowSource, kinds: readonly ColumnKind[]): Promise<void> {
  await eachRow(source, (row) => {
    kinds.forEach((kind, at) => {
      append(appender, kind, row[at] ?? null);
    });
    appender.endRow();
  });
}

async function eachRow(source: RowSource, visit: (row: readonly Cell[]) => void): Promise<void> {
  let count = 0;
  for (const row of source.rows()) {
    visit(row);
    if (++count % ROWS_AT_ONCE === 0) await breathe();
  }
}

function append(appender: DuckDBAppender, kind: ColumnKind, cell: Cell): void {
  if (cell === null) appender.appendNull();
  else if (kind === "BIGINT") appender.appendBigInt(BigInt(cell as bigint));
  else if (kind === "DOUBLE") appender.appendDouble(Number(cell));
  else if (kind === "BOOLEAN") appender.appendBoolean(cell === true || cell === 1n);
  else if (kind === "DATE") appender.appendDate(new DuckDBDateValue(microsOf(String(cell)) / MICROS_A_DAY));
  else if (kind === "TIMESTAMP") appender.appendTimestamp(new DuckDBTimestampValue(BigInt(microsOf(String(cell)))));
  else if (kind === "BLOB") appender.appendBlob(cell as Uint8Array);
  else appender.appendVarchar(cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString("hex")}` : String(cell));
}

const MICROS_A_DAY = 86_400_000_000;

/** Microseconds since 1970 of an ISO day or moment, which has no zone; whole seconds are exact. */
function microsOf(text: string): number {
  const [seconds = "", fraction = ""] = (text.length === 10 ? `${text}T00:00` : text).replace(" ", "T").split(".");
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, "0"));
}
