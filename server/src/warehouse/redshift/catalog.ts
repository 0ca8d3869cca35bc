import type { TableSchema } from "../contract.ts";
import type { Execute } from "../postgres/connection-pool.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import type { KeyPart } from "../remote/declared-keys.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import { REDSHIFT_DIALECT } from "./dialect.ts";
import { typeOfColumn } from "./wire-types.ts";

/** Tables, views and external tables of the database that the user may read, late-binding views included. */
export async function listTables(execute: Execute): Promise<readonly FoundTable[]> {
  const { rows } = await execute(
    `SELECT table_schema, table_name FROM svv_tables
     WHERE table_catalog = current_database() AND table_schema NOT IN ('information_schema', 'catalog_history') AND table_schema NOT LIKE 'pg!_%' ESCAPE '!'
     ORDER BY 1, 2`,
  );
  return foundTables(rows);
}

/** Columns, comments and declared keys. */
export async function describeTables(execute: Execute, scope: readonly ScopedTable[]): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const list = schemaList(scope, REDSHIFT_DIALECT.quoteText);
  const { rows } = await execute(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, remarks FROM svv_columns
     WHERE table_catalog = current_database() AND table_schema IN (${list}) ORDER BY table_schema, table_name, ordinal_position`,
  );
  return describedTables(scope, {
    columns: rows.map(([schema, table, name, type, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: { name: name ?? "", type: typeOfColumn(type ?? ""), mode: "NULLABLE" },
    })),
    keys: await readKeys(execute, list),
  });
}

/** Numbers of columns are looked up here: the catalog has arrays of them, and the dialect has nothing to unfold these. */
async function readKeys(execute: Execute, schemas: string): Promise<readonly KeyPart[]> {
  const keys = await execute(
    `SELECT n.nspname, c.relname, k.conname, k.conkey, fn.nspname, f.relname, k.confkey, c.oid, f.oid
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
     WHERE k.contype IN ('p', 'f') AND n.nspname IN (${schemas}) ORDER BY k.oid`,
  );
  const tables = [...new Set(keys.rows.flatMap((row) => [row[7], row[8]]))].flatMap((oid) => (oid ? [oid] : []));
  if (tables.length === 0) return [];
  const columns = await execute(
    `SELECT attrelid, attnum, attname FROM pg_attribute WHERE attnum > 0 AND attrelid IN (${tables.map(Number).join(", ")})`,
  );
  const names = new Map(columns.rows.map(([table, number, name]) => [`${table} ${number}`, name ?? ""]));
  return keys.rows.flatMap(([schema, table, constraint, own, otherSchema, otherTable, others, oid, otherOid]) =>
    numbers(own).map((number, at): KeyPart => {
      const part = { schema: schema ?? "", table: table ?? "", constraint: constraint ?? "" };
      const column = names.get(`${oid} ${number}`) ?? "";
      if (!otherTable) return { ...part, column };
      const other = names.get(`${otherOid} ${numbers(others)[at]}`) ?? "";
      return { ...part, column, refersTo: { schema: otherSchema ?? "", table: otherTable, column: other } };
    }),
  );
}

/** `{1,2}`. */
function numbers(text: string | null | undefined): readonly string[] {
  return text?.match(/\d+/g) ?? [];
}
