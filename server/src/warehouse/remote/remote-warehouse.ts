import type { SqlSource, TablePath } from "../contract.ts";
import type { FoundTable, RemoteEngine, ScopedTable } from "./contract.ts";
import { createRemoteSource } from "./remote-source.ts";

/** One mapped database behind a wire. */
export interface RemoteWarehouse {
  /** A source over these tables, all of the dataset's schema where none is named; or the names that the database does not have. */
  source(selection: TableSelection): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** The tables of a dataset, or of all schemas as datasets. Rejects with `QueryError`. */
  names(dataset?: string): Promise<readonly (readonly [dataset: string, table: string])[]>;
  close(): Promise<void>;
}

/** Tables by the names that clients use. */
interface TableSelection {
  readonly project: string;
  readonly dataset: string;
  readonly tables: readonly TablePath[];
}

const CATALOG_MS = 20_000;

/** `schema`: what datasets show; default the schema of their name, else that of the login. */
export function createRemoteWarehouse(engine: RemoteEngine, schema: string | undefined): RemoteWarehouse {
  const schemaOf = (dataset: string, found: readonly FoundTable[]) =>
    schema ?? (found.some((one) => one.schema === dataset) ? dataset : (engine.defaultSchema ?? dataset));
  return {
    async source({ project, dataset, tables }) {
      const found = await engine.tables(AbortSignal.timeout(CATALOG_MS));
      const selected = tables.length > 0 ? tables : shown(project, dataset, found, schemaOf(dataset, found));
      const located = selected.map((path) => ({ path, origin: originOf(path, found, schemaOf(path[1] ?? "", found)) }));
      const missing = located.flatMap(({ path, origin }) => (origin ? [] : [path]));
      if (missing.length > 0) return { missing };
      const scope = located.flatMap(({ path, origin }): ScopedTable[] => (origin ? [{ path, origin }] : []));
      return createRemoteSource(engine, scope);
    },
    async names(dataset) {
      const found = await engine.tables(AbortSignal.timeout(CATALOG_MS));
      const shown = dataset === undefined ? schema : schemaOf(dataset, found);
      return found
        .filter((one) => shown === undefined || one.schema === shown)
        .map((one) => [dataset ?? one.schema, one.table]);
    },
    close: () => engine.close(),
  };
}

function shown(project: string, dataset: string, found: readonly FoundTable[], schema: string): readonly TablePath[] {
  return found.filter((one) => one.schema === schema).map(({ table }) => [project, dataset, table]);
}

/** A table name may include its schema. Case counts only where two names differ by it. */
function originOf(
  [, , table = ""]: TablePath,
  found: readonly FoundTable[],
  schema: string,
): readonly string[] | undefined {
  const named = (spelled: (text: string) => string) =>
    found.filter(
      (one) =>
        (spelled(one.schema) === spelled(schema) && spelled(one.table) === spelled(table)) ||
        spelled(`${one.schema}.${one.table}`) === spelled(table),
    );
  const [exact] = named((text) => text);
  const folded = named((text) => text.toLowerCase());
  const one = exact ?? (folded.length === 1 ? folded[0] : undefined);
  return one && [...(one.catalog === undefined ? [] : [one.catalog]), one.schema, one.table];
}
