import type { SqlSource, TablePath } from "../contract.ts";

/** Tables by the names that clients use; an empty list is every table that the dataset shows. */
interface TableSelection {
  readonly project: string;
  readonly dataset: string;
  readonly tables: readonly TablePath[];
}

/** One mapped database. */
export interface MappedDatabase {
  /**
   * A source over these tables, or the names that the database does not have. With parameters of secure views, tables under such views are left out, and rejected
   * where they are named. Rejects with `QueryError`.
   */
  source(
    selection: TableSelection,
    parameters: Readonly<Record<string, string>>,
  ): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** The tables of a dataset, or of all schemas as datasets. Rejects with `QueryError`. */
  names(dataset?: string): Promise<readonly (readonly [dataset: string, table: string])[]>;
  close(): Promise<void>;
}

/** A table where its database has it. */
interface TableOfSchema {
  readonly schema: string;
  readonly table: string;
}

/** Which schemas datasets show. */
interface Schemas {
  /** What the mapping says. */
  readonly schema?: string | undefined;
  /** Where the mapping says nothing, and no schema has the name of the dataset. */
  readonly otherwise: string | undefined;
}

/** The schema that a dataset shows. */
export function schemaOf(dataset: string, found: readonly TableOfSchema[], { schema, otherwise }: Schemas): string {
  return schema ?? (found.some((one) => one.schema === dataset) ? dataset : (otherwise ?? dataset));
}

/** The tables that a dataset shows. */
export function shownTables(
  found: readonly TableOfSchema[],
  { project, dataset }: TableSelection,
  schemas: Schemas,
): readonly TablePath[] {
  const schema = schemaOf(dataset, found, schemas);
  return found.filter((one) => one.schema === schema).map(({ table }) => [project, dataset, table]);
}

/** The names of the tables of a dataset, or of all that the mapping shows. */
export function shownNames(
  found: readonly TableOfSchema[],
  dataset: string | undefined,
  schemas: Schemas,
): readonly (readonly [dataset: string, table: string])[] {
  const shown = dataset === undefined ? schemas.schema : schemaOf(dataset, found, schemas);
  return found
    .filter(({ schema }) => shown === undefined || schema === shown)
    .map(({ schema, table }) => [dataset ?? schema, table]);
}

/** The tables of a selection where the database has them, or the names that it does not have. */
export function locate<Origin>(
  selected: readonly TablePath[],
  originOf: (path: TablePath) => Origin | undefined,
):
  | { readonly scope: readonly { readonly path: TablePath; readonly origin: Origin }[] }
  | {
      readonly missing: readonly TablePath[];
    } {
  const located = selected.map((path) => ({ path, origin: originOf(path) }));
  const missing = located.flatMap(({ path, origin }) => (origin ? [] : [path]));
  if (missing.length > 0) return { missing };
  return { scope: located.flatMap(({ path, origin }) => (origin ? [{ path, origin }] : [])) };
}
