import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Statements that are kept: lists with filters have many forms. The cache is cleared at this size. */
const MAX_STATEMENTS = 500;

/** Prepares each statement of a connection once, as long as it is kept. */
export function createPreparedStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const prepared = database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
}
