import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBTimestampValue } from "@duckdb/node-api";
import type { TablePath } from "../contract.ts";
import { quoteName } from "../sql-quoting.ts";
import { type ColumnType, inferColumnType } from "./column-type.ts";
import type { Cell, RowSource } from "./table-file.ts";

/** Rows between two yields to the event loop. */
const ROWS_PER_SLICE = 2_000;

/** Copies a table of a file into DuckDB, replacing an earlier copy, in one transaction. */
export async function importTable(connection: DuckDBConnection, path: TablePath, source: RowSource): Promise<void> {
  const types = await inferColumnTypes(source);
  const columns = source.columns.map(({ name }, at) => `${quoteName(name)} ${types[at]}`);
  const [project = "", dataset = "", table = ""] = path;
  await connection.run("BEGIN TRANSACTION");
  try {
    await connection.run(`CREATE OR REPLACE TABLE ${path.map(quoteName).join(".")} (${columns.join(", ")})`);
    const appender = await connection.createAppender(table, dataset, project);
    await appendRows(appender, source, types);
    appender.closeSync();
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
}

async function inferColumnTypes(source: RowSource): Promise<readonly ColumnType[]> {
  const inferences = source.columns.map(inferColumnType);
  await eachRow(source, (row) =>
    inferences.forEach((inference, at) => {
      inference.observe(row[at] ?? null);
    }),
  );
  return inferences.map((inference, at) => inference.type(source.columns[at]?.declared));
}

async function appendRows(appender: DuckDBAppender, source: RowSource, types: readonly ColumnType[]): Promise<void> {
  await eachRow(source, (row) => {
    types.forEach((type, at) => {
      append(appender, type, row[at] ?? null);
    });
    appender.endRow();
  });
}

async function eachRow(source: RowSource, visit: (row: readonly Cell[]) => void): Promise<void> {
  let count = 0;
  for (const row of source.rows()) {
    visit(row);
    if (++count % ROWS_PER_SLICE === 0) await yieldToEventLoop();
  }
}

function append(appender: DuckDBAppender, type: ColumnType, cell: Cell): void {
  if (cell === null) appender.appendNull();
  else if (type === "BIGINT") appender.appendBigInt(BigInt(cell as bigint));
  else if (type === "DOUBLE") appender.appendDouble(Number(cell));
  else if (type === "BOOLEAN") appender.appendBoolean(cell === true || cell === 1n);
  else if (type === "DATE") appender.appendDate(new DuckDBDateValue(microsOf(String(cell)) / MICROS_PER_DAY));
  else if (type === "TIMESTAMP") appender.appendTimestamp(new DuckDBTimestampValue(BigInt(microsOf(String(cell)))));
  else if (type === "BLOB") appender.appendBlob(cell as Uint8Array);
  else appender.appendVarchar(cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString("hex")}` : String(cell));
}

const MICROS_PER_DAY = 86_400_000_000;

/** Microseconds since 1970 of an ISO date or timestamp without a zone; whole seconds are exact. */
function microsOf(text: string): number {
  const [seconds = "", fraction = ""] = (text.length === 10 ? `${text}T00:00` : text).replace(" ", "T").split(".");
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, "0"));
}
