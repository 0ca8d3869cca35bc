import type { ExampleQuery } from "@frontdesk/protos/gda/context";
import type { AuthoredQuery } from "../context/example-queries.ts";
import type { SemanticModel } from "../contract.ts";

type VerifiedColumn = NonNullable<ExampleQuery["verification"]>["columns"][number];

/** The columns of the tables of a statement that it names, with their types as of now. `tables`: those that it reads, each as a path. */
export function columnsOf(
  sql: string,
  tables: readonly (readonly string[])[],
  { tables: known }: SemanticModel,
): readonly Pick<VerifiedColumn, "table" | "column" | "type">[] {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const readsAll = /(?:SELECT|,|\.)\s*(?:DISTINCT\s+)?\*/i.test(sql);
  const read = new Set(tables.map((path) => path.join(".")));
  return known
    .filter(({ schema }) => read.has(schema.path.join(".")))
    .flatMap(({ schema }) =>
      schema.columns
        .filter(({ name }) => readsAll || words.has(name.toLowerCase()) || /[^\p{L}\p{N}_]/u.test(name))
        .map(({ name, type }) => ({ table: schema.path.join("."), column: name, type })),
    );
}

/** What has changed of the columns that a query was verified with, each as a few words; empty where nothing was recorded. */
export function changedColumns({ example }: AuthoredQuery, { tables }: SemanticModel): readonly string[] {
  const now = new Map(tables.map(({ schema }) => [schema.path.join("."), schema.columns]));
  const changes = (example?.verification?.columns ?? []).flatMap(({ table, column, type }) => {
    const columns = now.get(table);
    if (!columns) return [`the table ${table} is gone`];
    const found = columns.find(({ name }) => name === column);
    if (!found) return [`the column ${table}.${column} is gone`];
    return found.type === type ? [] : [`the column ${table}.${column} is ${found.type} and was ${type}`];
  });
  return [...new Set(changes)];
}
