import type { QueryLimits, TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import { type KeyPart, keysByTable } from "../remote/declared-keys.ts";
import { SNOWFLAKE_DIALECT } from "./dialect.ts";
import type { SnowflakeClient } from "./snowflake-client.ts";
import { typeOf } from "./wire-types.ts";

/** Limits of statements about the catalog. */
export const CATALOG: QueryLimits = { maxRows: 1_000_000, maxBytes: 64_000_000, timeoutMs: 20_000 };

/** Tables and views of the database that the role may read. */
export async function listTables(
  client: SnowflakeClient,
  database: string,
  signal: AbortSignal,
): Promise<readonly FoundTable[]> {
  const { rows } = await client.query(
    `SELECT TABLE_SCHEMA, TABLE_NAME FROM ${informationSchema(database)}.TABLES WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY 1, 2`,
    CATALOG,
    signal,
  );
  return rows.map(([schema, table]) => ({ catalog: database, schema: String(schema), table: String(table) }));
}

/** Columns, comments, row counts and declared keys. */
export async function describeTables(
  client: SnowflakeClient,
  database: string,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  const schemas = [...new Set(scope.map(({ origin: [, schema = ""] }) => schema))];
  if (schemas.length === 0) return [];
  const within = `TABLE_SCHEMA IN (${schemas.map(SNOWFLAKE_DIALECT.quoteText).join(", ")})`;
  const read = async (sql: string) => (await client.query(sql, CATALOG, signal)).rows;
  const information = informationSchema(database);
  const [tables, columns, keys] = await Promise.all([
    read(`SELECT TABLE_SCHEMA, TABLE_NAME, ROW_COUNT, COMMENT FROM ${information}.TABLES WHERE ${within}`),
    read(
      `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, NUMERIC_SCALE, IS_NULLABLE, COMMENT FROM ${information}.COLUMNS
       WHERE ${within} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
    ),
    readKeys(client, database, signal),
  ]);
  const facts = new Map(tables.map(([schema, table, ...rest]) => [`${schema}\0${table}`, rest]));
  const own = Map.groupBy(columns, ([schema, table]) => `${schema}\0${table}`);
  const keysOf = keysByTable(keys, scope);
  return scope.map(({ path, origin: [, schema = "", table = ""] }) => {
    const [count, comment] = facts.get(`${schema}\0${table}`) ?? [];
    return {
      path,
      ...(comment && { description: String(comment) }),
      columns: (own.get(`${schema}\0${table}`) ?? []).map(([, , name, type, scale, nullable, said]) => ({
        name: String(name),
        type: typeOf(String(type), Number(scale ?? 0)),
        mode: nullable === "NO" ? ("REQUIRED" as const) : ("NULLABLE" as const),
        ...(said && { description: String(said) }),
      })),
      ...keysOf(schema, table),
      ...(typeof count === "string" && { rowCount: Number(count) }),
    };
  });
}

function informationSchema(database: string): string {
  return `${SNOWFLAKE_DIALECT.quoteName(database)}.INFORMATION_SCHEMA`;
}

/** Keys are in no view that has their columns, but SHOW tells them, a row a column. */
async function readKeys(client: SnowflakeClient, database: string, signal: AbortSignal): Promise<readonly KeyPart[]> {
  const show = async (what: string) => {
    const sql = `SHOW ${what} KEYS IN DATABASE ${SNOWFLAKE_DIALECT.quoteName(database)}`;
    const { columns, rows } = await client.query(sql, CATALOG, signal);
    const named = rows.map((row) => new Map(columns.map(({ name }, at) => [name, String(row[at] ?? "")])));
    return named.toSorted((one, other) => Number(one.get("key_sequence")) - Number(other.get("key_sequence")));
  };
  const [primary, imported] = await Promise.all([show("PRIMARY"), show("IMPORTED")]);
  return [
    ...primary.map((row) => ({
      ...{ schema: row.get("schema_name") ?? "", table: row.get("table_name") ?? "" },
      ...{ constraint: row.get("constraint_name") ?? "", column: row.get("column_name") ?? "" },
    })),
    ...imported.map((row) => ({
      ...{ schema: row.get("fk_schema_name") ?? "", table: row.get("fk_table_name") ?? "" },
      ...{ constraint: row.get("fk_name") ?? "", column: row.get("fk_column_name") ?? "" },
      refersTo: {
        ...{ schema: row.get("pk_schema_name") ?? "", table: row.get("pk_table_name") ?? "" },
        column: row.get("pk_column_name") ?? "",
      },
    })),
  ];
}
