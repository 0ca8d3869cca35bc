import type { FieldPacket, PrepareStatementInfo } from "mysql2";
import type { JsonValue } from "#base";
import { type Column, QueryError, type QueryLimits, type ResultSet, rowTooLarge } from "../contract.ts";
import type { Session } from "./connection-pool.ts";
import { toCell, toColumns, type WireColumn } from "./wire-types.ts";

type Row = readonly (Buffer | null)[];

/** MariaDB's warning of a recursion that it ended; MySQL has an error for it. */
const RECURSION_ENDED = "1931";

/** Rows until a limit, of a statement that ran to its end: MariaDB ends endless recursion with a warning, and what it has found would look whole (CA-118). */
export async function readWhole(
  session: Session,
  sql: string,
  limits: QueryLimits,
): Promise<Pick<ResultSet, "columns" | "rows" | "truncated">> {
  const found = await readRows(session, sql, limits);
  if (found.truncated || !/\brecursive\b/i.test(sql)) return found;
  const ended = (await readAll(session, "SHOW WARNINGS")).find(([, code]) => code === RECURSION_ENDED);
  if (ended) throw new QueryError("invalid", `A recursion in this statement does not end: ${ended[2]}.`);
  return found;
}

/** Rows until a limit. What is behind it is not sent: the server stops at the row after the last one, or the session ends. */
async function readRows(
  session: Session,
  sql: string,
  { maxRows, maxBytes }: QueryLimits,
): Promise<Pick<ResultSet, "columns" | "rows" | "truncated">> {
  const rows: JsonValue[][] = [];
  let columns: readonly Column[] = [];
  let [bytes, more] = [0, 0];
  const cut = await streamRows(
    session,
    sql,
    (fields) => {
      columns = toColumns(fields);
    },
    (cells) => {
      // A statement with a LIMIT of its own may bring more than one row too many.
      if (rows.length === maxRows) return ++more > 1 ? "enough" : "more";
      const row = cells.map((cell, at) => toCell(cell, columns[at]?.type ?? "STRING"));
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes && rows.length === 0) throw rowTooLarge(maxBytes);
      if (bytes > maxBytes) return "enough";
      rows.push(row);
      return "more";
    },
  );
  return { columns, rows, truncated: cut || more > 0 };
}

/** All rows of a statement of ours, as texts. */
export async function readAll(session: Session, sql: string): Promise<readonly (readonly (string | null)[])[]> {
  const rows: (string | null)[][] = [];
  await streamRows(
    session,
    sql,
    () => {},
    (cells) => {
      rows.push(cells.map((cell) => cell?.toString("utf8") ?? null));
      return "more";
    },
  );
  return rows;
}

/** A line a step of `EXPLAIN`: the table, how it is read, how many rows, and what else is done. */
export async function explainStatement(session: Session, sql: string): Promise<string> {
  let names: readonly string[] = [];
  const lines: string[] = [];
  await streamRows(
    session,
    `EXPLAIN ${sql}`,
    (fields) => {
      names = fields.map(({ name }) => name);
    },
    (cells) => {
      const step = new Map(names.map((name, at) => [name, cells[at]?.toString("utf8") ?? ""]));
      const parts = [step.get("table"), step.get("type"), step.get("key") && `key ${step.get("key")}`];
      lines.push(
        [...parts, step.get("rows") && `${step.get("rows")} rows`, step.get("Extra")].filter(Boolean).join(", "),
      );
      return "more";
    },
  );
  return lines.join("\n");
}

/** The columns of a statement, which the server parses and binds and does not run. */
export function preparedColumns({ connection }: Session, sql: string): Promise<readonly Column[]> {
  return new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => {
      if (error) return reject(error);
      const { columns } = statement as PrepareStatementInfo & { readonly columns: readonly WireColumn[] };
      statement.close();
      resolve(toColumns(columns));
    });
  });
}

/** Reads rows one by one; resolves with whether the reader had enough before the last one. */
function streamRows(
  session: Session,
  sql: string,
  onColumns: (fields: readonly WireColumn[]) => void,
  onRow: (row: Row) => "more" | "enough",
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const query = session.connection.query({ sql, rowsAsArray: true, typeCast: (field) => field.buffer() });
    const end = (result: () => void) => {
      query.removeAllListeners("result");
      result();
    };
    query.on("error", (error: Error) => end(() => reject(error)));
    query.on("fields", (fields: FieldPacket[]) => onColumns(fields));
    query.on("result", (row: unknown) => {
      try {
        if (onRow(row as Row) === "more") return;
        session.discard();
        end(() => resolve(true));
      } catch (error) {
        session.discard();
        end(() => reject(error));
      }
    });
    query.on("end", () => end(() => resolve(false)));
  });
}
