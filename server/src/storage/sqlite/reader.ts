import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Statement } from "../engine.ts";

/** The read-only connection of the main thread: it sees what is committed. */
export interface Reader {
  all<Row>(statement: Statement<Row>): readonly Row[];
  close(): void;
}

/** Prepared statements kept; lists with many combinations of filters would else add up. */
const MAX_STATEMENTS = 500;

/** Opens a database for reading. */
export function openReader(path: string): Reader {
  const database = new DatabaseSync(path, { readOnly: true });
  // Sixteen megabytes of pages: the sessions of the moment.
  database.exec("pragma cache_size = -16384");
  const statements = new Map<string, StatementSync>();

  function all<Row>({ sql, parameters }: Statement<Row>): readonly Row[] {
    // The stores bind strings, numbers and bytes only, and their queries are typed by the tables.
    return statementFor(sql).all(...(parameters as readonly SQLInputValue[])) as Row[];
  }

  function statementFor(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const prepared = database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  }

  return { all, close: () => database.close() };
}
