import { nonEmptyFields } from "#base";
import {
  type Column,
  QueryError,
  type QueryRequest,
  type SqlDialect,
  type SqlSource,
  type TablePath,
  type TableSchema,
  type TableView,
} from "../contract.ts";
import { tableKey } from "../table-key.ts";
import { columnNamed, conditionSql, type RowCondition } from "./row-condition.ts";

/** What a caller sees of a table: all of it, nothing, or some rows without some columns. */
export type TableRestriction =
  | { readonly kind: "all" }
  | { readonly kind: "nothing" }
  | { readonly kind: "part"; readonly rows?: RowCondition; readonly hiddenColumns: readonly string[] };

/** What a caller sees of the tables of a source. */
export interface Restrictions {
  /** Another text for callers who see other rows or columns. */
  readonly viewer: string;
  /** `reads`: of a view, the names of the tables that it reads. */
  of(path: TablePath, reads: readonly string[]): TableRestriction;
  /** A rule that does not fit its table: what to throw. Nobody sees the table. */
  faulty(path: TablePath, error: unknown): Error;
}

/** Milliseconds that reading the values of a column may take. */
const VALUES_MS = 5_000;
/** Bytes that it may bill, where nobody said. */
const VALUES_BYTES: Readonly<Partial<Record<SqlDialect, number>>> = { googlesql: 100 * 1024 * 1024 };

/**
 * The source as a caller sees it (CA-49): columns that are hidden are in no schema, and each statement reads the tables through SELECTs that leave the rest out, whoever wrote it.
 */
export function withRestrictions(source: SqlSource, restrictions: Restrictions): SqlSource {
  const readsOf = new Map<string, readonly string[]>();
  const shownOf = (path: TablePath): TableRestriction => restrictions.of(path, readsOf.get(tableKey(path)) ?? []);
  let described: Promise<readonly TableSchema[]> | undefined;
  const describe = (signal: AbortSignal) => {
    described = source.describe(signal).then(
      (schemas) => {
        for (const { path, reads = [] } of schemas) readsOf.set(tableKey(path), reads);
        return schemas;
      },
      (error) => {
        described = undefined;
        throw error;
      },
    );
    return described;
  };
  const views = async (signal: AbortSignal): Promise<readonly TableView[]> =>
    (await (described ?? describe(signal))).flatMap((schema) => viewOf(schema, shownOf(schema.path)));

  function viewOf(schema: TableSchema, restriction: TableRestriction): readonly TableView[] {
    const { path } = schema;
    if (restriction.kind === "all") return [];
    if (restriction.kind === "nothing") return [{ path }];
    try {
      return [{ path, select: selectOf(schema, restriction, source) }];
    } catch (error) {
      throw restrictions.faulty(path, error);
    }
  }
  const viewed = async (request: QueryRequest) => ({ ...request, views: await views(request.signal) });

  return {
    ...source,
    viewer: restrictions.viewer,
    viewerOf: (path) => (shownOf(path).kind === "all" ? "" : restrictions.viewer),
    async describe(signal) {
      const schemas = await describe(signal);
      const hidden = (path: TablePath) => hiddenOf(shownOf(path));
      return schemas
        .filter(({ path }) => shownOf(path).kind !== "nothing")
        .map((schema) => shownSchema(schema, shownOf(schema.path), hidden));
    },
    async distinctValues(table, column, limit, signal, maxScannedBytes) {
      if (shownOf(table).kind === "all") return source.distinctValues(table, column, limit, signal, maxScannedBytes);
      const name = source.quoteName(column);
      const sql = `SELECT ${name}, count(*) AS n FROM ${source.quoteTable(table)} AS t WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY n DESC, ${name} LIMIT ${limit + 1}`;
      const bytes = maxScannedBytes ?? VALUES_BYTES[source.dialect];
      const limits = {
        maxRows: limit + 1,
        maxBytes: 1_000_000,
        timeoutMs: VALUES_MS,
        ...nonEmptyFields({ maxScannedBytes: bytes }),
      };
      const found = await source.query(await viewed({ sql, limits, signal })).catch(unlessTooExpensive);
      if (!found || found.rows.length > limit || found.truncated) return undefined;
      return found.rows.map(([value]) => String(value));
    },
    check: async (sql, parameters, signal) => source.check(sql, parameters, signal, await views(signal)),
    async explain(request) {
      const own = await viewed(request);
      const explained = await source.explain(own);
      // A plan shows conditions and how many rows there are of others.
      return own.views.length > 0 ? { ...explained, plan: "" } : explained;
    },
    query: async (request) => source.query(await viewed(request)),
  };
}

/** Values of columns are optional. */
function unlessTooExpensive(error: unknown): undefined {
  if (error instanceof QueryError && error.kind === "too-expensive") return undefined;
  throw error;
}

/** The columns that are left, of the rows that are left. Throws `RuleFault`. */
function selectOf(
  { path, columns }: TableSchema,
  { rows, hiddenColumns }: Extract<TableRestriction, { kind: "part" }>,
  source: SqlSource,
): string {
  const hidden = new Set(hiddenColumns.map((name) => columnNamed(name, columns).name));
  const shown = columns.filter(({ name }) => !hidden.has(name)).map(({ name }) => source.quoteName(name));
  const select = `SELECT ${shown.join(", ") || "1 AS hidden"} FROM ${source.quoteTable(path)}`;
  return rows ? `${select} WHERE ${conditionSql(rows, columns, source)} ${FENCES[source.dialect]}` : select;
}

/** Keeps conditions of the statement outside: one that is tried on a row before the rule is could tell of it by an error. */
const FENCES: Readonly<Record<SqlDialect, string>> = {
  duckdb: "LIMIT 9223372036854775807",
  postgresql: "OFFSET 0",
  mysql: "LIMIT 18446744073709551615",
  clickhouse: "LIMIT 9223372036854775807",
  trino: "LIMIT 9223372036854775807",
  redshift: "LIMIT 9223372036854775807",
  snowflake: "LIMIT 9223372036854775807",
  // Its limits are numbers of 32 bits.
  databricks: "LIMIT 2147483647",
  sqlserver: "ORDER BY (SELECT NULL) OFFSET 0 ROWS FETCH NEXT 9223372036854775807 ROWS ONLY",
  googlesql: "LIMIT 9223372036854775807",
};

/** Names of columns that are not shown, in lower case; undefined: none is. */
function hiddenOf(restriction: TableRestriction): ReadonlySet<string> | undefined {
  if (restriction.kind === "nothing") return undefined;
  return new Set(restriction.kind === "part" ? restriction.hiddenColumns.map((name) => name.toLowerCase()) : []);
}

/** The schema without what is hidden: columns, keys that have them, and how many rows there are. */
function shownSchema(
  schema: TableSchema,
  restriction: TableRestriction,
  hiddenIn: (path: TablePath) => ReadonlySet<string> | undefined,
): TableSchema {
  const hidden = hiddenIn(schema.path);
  const isShown = (columns: readonly string[], names = hidden) =>
    names !== undefined && columns.every((name) => !names.has(name.toLowerCase()));
  const { rowCount, primaryKey, foreignKeys, ...rest } = schema;
  const keys = foreignKeys?.filter(
    ({ columns, table, referencedColumns }) => isShown(columns) && isShown(referencedColumns, hiddenIn(table)),
  );
  return {
    ...rest,
    columns: schema.columns.filter(({ name }: Column) => isShown([name])),
    ...(primaryKey && isShown(primaryKey) && { primaryKey }),
    ...(keys && keys.length > 0 && { foreignKeys: keys }),
    ...(restriction.kind === "all" && rowCount !== undefined && { rowCount }),
  };
}
