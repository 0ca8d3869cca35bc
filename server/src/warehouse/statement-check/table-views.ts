import { isDeepStrictEqual } from "node:util";
import type { TablePath, TableView } from "../contract.ts";
import { tableKey } from "../table-key.ts";
import { replaceNames } from "./replace-names.ts";
import type { NamedTable } from "./statement-check.ts";

/** Finds what a caller sees of tables. */
export interface FoundViews {
  /** Whether the table does not exist for the caller. */
  isDenied(path: TablePath): boolean;
  /** The SELECT that stands for the table; undefined where the caller sees all of it. */
  selectOf(path: TablePath): string | undefined;
}

/** By the whole names of tables; a table without a view is seen whole. */
export function findViews(views: readonly TableView[]): FoundViews {
  const byPath = new Map(views.map((view) => [tableKey(view.path), view]));
  const viewOf = (path: TablePath) => byPath.get(tableKey(path));
  return {
    isDenied: (path) => {
      const view = viewOf(path);
      return view !== undefined && view.select === undefined;
    },
    selectOf: (path) => viewOf(path)?.select,
  };
}

/** A table of a statement, and what stands for it. */
export interface ViewedTable {
  readonly named: NamedTable;
  /** Absent: the table as it is. */
  readonly view?: { readonly select: string /** The whole name that the SELECT reads. */; readonly reads: TablePath };
}

/** The statement with SELECTs in the places of names; a table without an alias keeps its name. Undefined where there is nothing to replace. */
export function withViews(
  sql: string,
  tables: readonly ViewedTable[],
  quoteName: (name: string) => string,
): string | undefined {
  const replaced = tables.flatMap(({ named: { at, parts, hasAlias }, view }) => {
    const alias = hasAlias ? "" : ` AS ${quoteName(parts.at(-1) ?? "")}`;
    return view ? [{ at, parts: parts.length, text: `(${view.select})${alias}` }] : [];
  });
  return replaced.length > 0 ? replaceNames(sql, replaced) : undefined;
}

/** Whether the replaced statement, parsed again, names the tables of the first one in their order, those with a view by the name in their SELECT, and no others. */
export function isReplaced(tables: readonly ViewedTable[], again: readonly NamedTable[]): boolean {
  return isDeepStrictEqual(
    again.map(({ parts }) => parts),
    tables.map(({ named, view }) => view?.reads ?? named.parts),
  );
}
