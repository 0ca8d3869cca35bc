import { definedFields, nonEmptyFields } from "#base";
import type { ForeignKey, TablePath, TableSchema } from "../contract.ts";
import type { Execute } from "./connection-pool.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";
import { toColumn } from "./wire-types.ts";

/** A table, view or foreign table that the role of the connection may read. */
export interface FoundTable {
  readonly schema: string;
  readonly table: string;
}

/** Every table that can be read, except those of the server's own catalog. */
export async function listTables(execute: Execute): Promise<readonly FoundTable[]> {
  const { rows } = await execute(`
    SELECT n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    ORDER BY 1, 2`);
  return rows.map(([schema, table]) => ({ schema: schema ?? "", table: table ?? "" }));
}

/** Names of the functions of `pg_catalog`, which `x.name` may call. */
export async function listFunctions(execute: Execute): Promise<ReadonlySet<string>> {
  const { rows } = await execute(
    "SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace",
  );
  return new Set(rows.map(([name]) => name ?? ""));
}

/** Table schemas: columns, comments, keys, and the planner's estimate of rows. */
export async function describeTables(execute: Execute, scope: readonly ScopedTable[]): Promise<readonly TableSchema[]> {
  const origins = JSON.stringify(scope.map(({ origin: [schema, table] }) => ({ s: schema, t: table })));
  const relations = await readRelations(execute, origins);
  const columns = Map.groupBy(await readColumns(execute, origins), ({ of }) => of);
  const reads = Map.groupBy(await readDependencies(execute, origins), ({ of }) => of);
  const keys = Map.groupBy(await readKeys(execute, origins), ({ of }) => of);
  const paths = new Map(scope.map(({ origin, path }) => [keyOf(origin), path]));
  return scope.map(({ path, origin }) => {
    const key = keyOf(origin);
    const facts = relations.get(key);
    const own = keys.get(key) ?? [];
    const primaryKey = own.find(({ type }) => type === "p")?.columns;
    const foreignKeys = own.flatMap((one) => toForeignKey(one, paths));
    return {
      path,
      ...(facts?.comment && { description: facts.comment }),
      columns: columns.get(key)?.map(({ column }) => column) ?? [],
      ...definedFields({ primaryKey }),
      ...(foreignKeys.length > 0 && { foreignKeys }),
      ...(facts?.rowCount !== undefined && { rowCount: facts.rowCount }),
      ...definedFields({ reads: reads.get(key)?.map(({ table }) => table) }),
    };
  });
}

/** Joins the requested tables with the catalog. */
const REQUESTED = `
  FROM json_to_recordset($1::json) AS requested(s text, t text)
  JOIN pg_namespace n ON n.nspname = requested.s JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = requested.t`;

async function readRelations(execute: Execute, origins: string) {
  const { rows } = await execute(
    `SELECT requested.s, requested.t, obj_description(c.oid, 'pg_class'), CASE WHEN c.reltuples >= 0 AND c.relkind IN ('r', 'm', 'p') THEN c.reltuples::bigint END ${REQUESTED}`,
    [origins],
  );
  return new Map(
    rows.map(([schema, table, comment, count]) => [
      keyOf([schema, table]),
      { comment: comment ?? "", rowCount: count === null || count === undefined ? undefined : Number(count) },
    ]),
  );
}

/** A domain is described as its base type. */
async function readColumns(execute: Execute, origins: string) {
  const { rows } = await execute(
    `SELECT requested.s, requested.t, a.attname::text, coalesce(nullif(y.typbasetype, 0), a.atttypid)::int8, a.attnotnull, col_description(c.oid, a.attnum)
     ${REQUESTED} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type y ON y.oid = a.atttypid
     ORDER BY 1, 2, a.attnum`,
    [origins],
  );
  return rows.map(([schema, table, name, type, required, comment]) => ({
    of: keyOf([schema, table]),
    column: {
      ...toColumn(name ?? "", Number(type), required === "t"),
      ...nonEmptyFields({ description: comment }),
    },
  }));
}

/** What views read, through other views too. */
async function readDependencies(execute: Execute, origins: string) {
  const { rows } = await execute(
    `WITH RECURSIVE under(s, t, root, id) AS (
       SELECT requested.s, requested.t, c.oid, c.oid ${REQUESTED} WHERE c.relkind IN ('v', 'm')
       UNION SELECT u.s, u.t, u.root, d.refobjid FROM under u JOIN pg_rewrite r ON r.ev_class = u.id
         JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass)
     SELECT DISTINCT u.s, u.t, lower(c.relname::text) FROM under u JOIN pg_class c ON c.oid = u.id WHERE u.id <> u.root ORDER BY 1, 2, 3`,
    [origins],
  );
  return rows.map(([schema, table, name]) => ({ of: keyOf([schema, table]), table: name ?? "" }));
}

interface Key {
  readonly of: string;
  readonly type: string;
  readonly columns: readonly string[];
  readonly other: string;
  readonly otherColumns: readonly string[];
}

async function readKeys(execute: Execute, origins: string): Promise<readonly Key[]> {
  const names = (numbers: string, relation: string) =>
    `(SELECT json_agg(a.attname ORDER BY one.at) FROM unnest(${numbers}) WITH ORDINALITY AS one(number, at) JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = one.number)::text`;
  const { rows } = await execute(
    `SELECT requested.s, requested.t, k.contype::text, ${names("k.conkey", "k.conrelid")}, fn.nspname::text, f.relname::text, ${names("k.confkey", "k.confrelid")}
     ${REQUESTED} JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype IN ('p', 'f')
     LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace ORDER BY k.oid`,
    [origins],
  );
  return rows.map(([schema, table, type, columns, otherSchema, other, otherColumns]) => ({
    of: keyOf([schema, table]),
    type: type ?? "",
    columns: JSON.parse(columns ?? "[]"),
    other: keyOf([otherSchema, other]),
    otherColumns: JSON.parse(otherColumns ?? "[]"),
  }));
}

function toForeignKey(
  { type, columns, other, otherColumns }: Key,
  paths: ReadonlyMap<string, TablePath>,
): readonly ForeignKey[] {
  const table = paths.get(other);
  return type === "f" && table ? [{ columns, table, referencedColumns: otherColumns }] : [];
}

function keyOf(origin: readonly (string | null | undefined)[]): string {
  return origin.join("\0");
}
