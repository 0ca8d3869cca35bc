import type { FieldDef } from "pg";
import type { JsonValue } from "#base";
import { type Column, type QueryLimits, type ResultSet, rowTooLarge } from "../contract.ts";
import { toCell } from "./cell-value.ts";
import type { Execute } from "./connection-pool.ts";
import { toColumn } from "./wire-types.ts";

/** Rows of the first fetch. Their size decides how many the next one asks for. */
const FIRST_ROWS = 64;
const MAX_FETCH_ROWS = 5_000;
/** Bytes of one fetch, approximately. */
const FETCH_BYTES = 1024 * 1024;

/** Declares a cursor and returns its columns. PostgreSQL parses and plans the statement here, and accepts only a SELECT. */
export async function openCursor(execute: Execute, sql: string, values: readonly string[]): Promise<readonly Column[]> {
  await execute(`DECLARE question NO SCROLL CURSOR FOR ${sql}`, values);
  return columnsOf((await execute("FETCH FORWARD 0 FROM question")).fields);
}

/** Fetches rows of the cursor until a limit. Rows that are not fetched are not computed. */
export async function readRows(
  execute: Execute,
  { maxRows, maxBytes }: QueryLimits,
): Promise<Pick<ResultSet, "rows" | "truncated">> {
  const rows: JsonValue[][] = [];
  let bytes = 0;
  for (let count = FIRST_ROWS; ; ) {
    const { rows: read, fields } = await execute(
      `FETCH FORWARD ${Math.min(count, maxRows - rows.length + 1)} FROM question`,
    );
    for (const cells of read) {
      if (rows.length === maxRows) return { rows, truncated: true };
      const row = cells.map((cell, at) => toCell(cell, fields[at]?.dataTypeID ?? 25));
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes && rows.length === 0) throw rowTooLarge(maxBytes);
      if (bytes > maxBytes) return { rows, truncated: true };
      rows.push(row);
    }
    if (read.length === 0) return { rows, truncated: false };
    count = Math.min(MAX_FETCH_ROWS, Math.max(1, Math.floor((FETCH_BYTES * rows.length) / (bytes + 1))));
  }
}

/** A repeated name gets a number. */
function columnsOf(fields: readonly FieldDef[]): readonly Column[] {
  const seen = new Map<string, number>();
  return fields.map(({ name, dataTypeID }) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return toColumn(count === 0 ? name : `${name}_${count}`, dataTypeID);
  });
}
