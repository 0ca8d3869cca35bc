import { definedFields } from "#base";
import type { Column, TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "./contract.ts";
import { type KeyPart, keysByTable } from "./declared-keys.ts";

/** What a catalog tells of the schemas that a context has tables of. */
interface CatalogFacts {
  /** In their order within each table. */
  readonly columns: readonly {
    readonly schema: unknown;
    readonly table: unknown;
    readonly column: Column;
    /** Whether it may be NULL, as catalogs say it: `NO` and `false` are no. */
    readonly nullable?: unknown;
    /** A comment; nothing where there is none. */
    readonly comment?: unknown;
  }[];
  readonly tables?: readonly {
    readonly schema: unknown;
    readonly table: unknown;
    readonly comment?: unknown;
    readonly rowCount?: unknown;
  }[];
  readonly keys?: readonly KeyPart[];
}

/** The tables of a context as their catalog describes them. */
export function describedTables(
  scope: readonly ScopedTable[],
  { columns, tables = [], keys = [] }: CatalogFacts,
): readonly TableSchema[] {
  const facts = new Map(tables.map((fact) => [`${fact.schema}\0${fact.table}`, fact]));
  const own = Map.groupBy(columns, ({ schema, table }) => `${schema}\0${table}`);
  const keysOf = keysByTable(keys, scope);
  return scope.map(({ path, origin }) => {
    const [schema = "", table = ""] = origin.slice(-2);
    const { comment, rowCount } = facts.get(`${schema}\0${table}`) ?? {};
    return {
      path,
      ...(comment ? { description: String(comment) } : {}),
      columns: (own.get(`${schema}\0${table}`) ?? []).map(({ column, nullable, comment }) => ({
        ...column,
        ...(column.mode === "NULLABLE" && isNo(nullable) && { mode: "REQUIRED" as const }),
        ...(comment ? { description: String(comment) } : {}),
      })),
      ...keysOf(schema, table),
      ...(typeof rowCount === "string" && { rowCount: Number(rowCount) }),
    };
  });
}

function isNo(nullable: unknown): boolean {
  return nullable === "NO" || nullable === "false";
}

/** Tables by rows of a schema and a name. */
export function foundTables(rows: readonly (readonly unknown[])[], catalog?: string): readonly FoundTable[] {
  return rows.map(([schema, table]) => ({
    ...definedFields({ catalog }),
    schema: String(schema),
    table: String(table),
  }));
}

/** The names of the schemas that a context has tables of, as a list of literals. */
export function schemaList(scope: readonly ScopedTable[], quoteText: (text: string) => string): string {
  return [...new Set(scope.map(({ origin }) => origin.at(-2) ?? ""))].map(quoteText).join(", ");
}
