import type { FieldDef } from "pg";
import type { JsonValue } from "#base";
import type { Column, QueryLimits, ResultSet } from "../contract.ts";
import { toCell } from "./cell-value.ts";
import type { Ask } from "./session.ts";
import { toColumn } from "./wire-types.ts";

/** Rows of the first read: how large they are decides how many the next one asks for. */
const FIRST_ROWS = 64;
const MOST_ROWS = 5_000;
/** Bytes of one read, about. */
const READ_BYTES = 1024 * 1024;

/** Declares a cursor: the engine reads and plans the statement, and takes nothing there but a SELECT. Answers its columns. */
export async function openCursor(ask: Ask, sql: string, values: readonly string[]): Promise<readonly Column[]> {
  await ask(`DECLARE question NO SCROLL CURSOR FOR ${sql}`, values);
  return columnsOf((await ask("FETCH FORWARD 0 FROM question")).fields);
}

/** Reads rows of the cursor until a limit; what is not read is not computed. */
export async function readRows(
  ask: Ask,
  { maxRows, maxBytes }: QueryLimits,
): Promise<Pick<ResultSet, "rows" | "truncated">> {
  const rows: JsonValue[][] = [];
  let bytes = 0;
  for (let wanted = FIRST_ROWS; ; ) {
    const { rows: read, fields } = await ask(
      `FETCH FORWARD ${Math.min(wanted, maxRows - rows.length + 1)} FROM question`,
    );
    for (const cells of read) {
      if (rows.length === maxRows) return { rows, truncated: true };
      const row = cells.map((cell, at) => toCell(cell, fields[at]?.dataTypeID ?? 25));
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes) return { rows, truncated: true };
      rows.push(row);
    }
    if (read.length === 0) return { rows, truncated: false };
    wanted = Math.min(MOST_ROWS, Math.max(1, Math.floor((READ_BYTES * rows.length) / (bytes + 1))));
  }
}

/** A name that occurs twice gets a number. */
function columnsOf(fields: readonly FieldDef[]): readonly Column[] {
  const seen = new Map<string, number>();
  return fields.map(({ name, dataTypeID }) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return toColumn(count === 0 ? name : `${name}_${count}`, dataTypeID);
  });
}
