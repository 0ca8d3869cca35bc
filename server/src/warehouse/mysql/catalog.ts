import { definedFields } from "#base";
import type { ForeignKey, TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import { MYSQL_DIALECT } from "./dialect.ts";
import { typeOfColumn } from "./wire-types.ts";

/** Runs a statement of ours; cells are texts. */
type ReadCatalog = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** Every table and view that can be read, except those of the server's own catalog. */
export async function listTables(read: ReadCatalog): Promise<readonly FoundTable[]> {
  const rows = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES
     WHERE TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') AND TABLE_TYPE <> 'SEQUENCE' ORDER BY 1, 2`,
  );
  return rows.map(([schema, table]) => ({ schema: schema ?? "", table: table ?? "" }));
}

/** Table schemas: columns, comments, keys, and the engine's estimate of rows. */
export async function describeTables(
  read: ReadCatalog,
  scope: readonly ScopedTable[],
): Promise<readonly TableSchema[]> {
  const schemas = [...new Set(scope.map(({ origin: [schema = ""] }) => schema))];
  if (schemas.length === 0) return [];
  const within = `TABLE_SCHEMA IN (${schemas.map(MYSQL_DIALECT.quoteText).join(", ")})`;
  const facts = new Map(
    (
      await read(
        `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, CASE TABLE_TYPE WHEN 'VIEW' THEN '' ELSE TABLE_COMMENT END FROM information_schema.TABLES WHERE ${within}`,
      )
    ).map(([schema, table, count, comment]) => [keyOf(schema, table), { count, comment }]),
  );
  const columns = Map.groupBy(await readColumns(read, within), ({ of }) => of);
  const keys = Map.groupBy(await readKeys(read, within), ({ of }) => of);
  const paths = new Map(scope.map(({ origin: [schema, table], path }) => [keyOf(schema, table), path]));
  return scope.map(({ path, origin: [schema, table] }) => {
    const key = keyOf(schema, table);
    const own = Map.groupBy(keys.get(key) ?? [], ({ constraint }) => constraint);
    const primaryKey = own.get("PRIMARY")?.map(({ column }) => column);
    const foreignKeys = [...own.values()].flatMap((parts): ForeignKey[] => {
      const other = paths.get(parts[0]?.other ?? "");
      return other
        ? [
            {
              columns: parts.map(({ column }) => column),
              table: other,
              referencedColumns: parts.map(({ otherColumn }) => otherColumn),
            },
          ]
        : [];
    });
    const { count, comment } = facts.get(key) ?? {};
    return {
      path,
      ...(comment && { description: comment }),
      columns: columns.get(key)?.map(({ column }) => column) ?? [],
      ...definedFields({ primaryKey }),
      ...(foreignKeys.length > 0 && { foreignKeys }),
      ...(count !== null && count !== undefined && { rowCount: Number(count) }),
    };
  });
}

async function readColumns(read: ReadCatalog, within: string) {
  const rows = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT FROM information_schema.COLUMNS
     WHERE ${within} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  return rows.map(([schema, table, name, dataType, columnType, nullable, comment]) => ({
    of: keyOf(schema, table),
    column: {
      name: name ?? "",
      type: typeOfColumn(dataType ?? "", columnType ?? ""),
      mode: nullable === "NO" ? ("REQUIRED" as const) : ("NULLABLE" as const),
      ...(comment && { description: comment }),
    },
  }));
}

async function readKeys(read: ReadCatalog, within: string) {
  const rows = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
     FROM information_schema.KEY_COLUMN_USAGE WHERE ${within} ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,
  );
  return rows.map(([schema, table, constraint, column, otherSchema, otherTable, otherColumn]) => ({
    ...{ of: keyOf(schema, table), constraint: constraint ?? "", column: column ?? "" },
    ...{ other: otherTable ? keyOf(otherSchema, otherTable) : "", otherColumn: otherColumn ?? "" },
  }));
}

function keyOf(schema: string | null | undefined, table: string | null | undefined): string {
  return `${schema}\0${table}`;
}
