import { definedFields } from "#base";
import type { ForeignKey, TableSchema } from "../contract.ts";
import type { ScopedTable } from "./contract.ts";

/** One column of a key, in the order of the key. */
export interface KeyPart {
  readonly schema: string;
  readonly table: string;
  readonly constraint: string;
  readonly column: string;
  /** The column that it refers to; none of a primary key. */
  readonly refersTo?: { readonly schema: string; readonly table: string; readonly column: string };
}

/** A row of a catalog: schema, table, constraint and column, then schema, table and column of what it refers to, if anything. */
export function toKeyPart(row: readonly unknown[]): KeyPart {
  const [schema = "", table = "", constraint = "", column = "", ...other] = row.map((cell) => String(cell ?? ""));
  const [otherSchema = "", otherTable = "", otherColumn = ""] = other;
  const part = { schema, table, constraint, column };
  return otherTable ? { ...part, refersTo: { schema: otherSchema, table: otherTable, column: otherColumn } } : part;
}

/** The keys of each table of a context; foreign keys only to tables of the context. Warehouses declare keys and do not check them. */
export function keysByTable(
  parts: readonly KeyPart[],
  scope: readonly ScopedTable[],
): (schema: string, table: string) => Pick<TableSchema, "primaryKey" | "foreignKeys"> {
  const own = Map.groupBy(parts, ({ schema, table }) => keyOf(schema, table));
  const paths = new Map(scope.map(({ origin, path }) => [keyOf(origin.at(-2), origin.at(-1)), path]));
  return (schema, table) => {
    const parts = own.get(keyOf(schema, table)) ?? [];
    const keys = [
      ...Map.groupBy(parts, ({ constraint, refersTo }) => `${constraint}\0${refersTo !== undefined}`).values(),
    ];
    const primaryKey = keys.find(([first]) => !first?.refersTo)?.map(({ column }) => column);
    const foreignKeys = keys.flatMap((key): ForeignKey[] => {
      const [first] = key;
      const other = first?.refersTo && paths.get(keyOf(first.refersTo.schema, first.refersTo.table));
      const referencedColumns = key.map(({ refersTo }) => refersTo?.column ?? "");
      return other ? [{ columns: key.map(({ column }) => column), table: other, referencedColumns }] : [];
    });
    return { ...definedFields({ primaryKey }), ...(foreignKeys.length > 0 && { foreignKeys }) };
  };
}

function keyOf(schema: string | undefined, table: string | undefined): string {
  return `${schema}\0${table}`;
}
