import type { SqlSource, TablePath } from "../contract.ts";
import type { PostgresMapping } from "../mapping/warehouse-config.ts";
import { type FoundTable, listFunctions, listTables } from "./catalog.ts";
import { createPostgresPool } from "./connection-pool.ts";
import { createPostgresSource } from "./postgres-source.ts";
import { checkSecureViews, keyOf, readSecureViews, toSettings, type ViewParameters } from "./secure-views.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";
import { loadParser } from "./statement-check/parse-statement.ts";

/** One mapped PostgreSQL database. */
export interface PostgresWarehouse {
  /**
   * A source over these tables, all of them where none is named; or the names that the database does not have. With parameters of
   * secure views, tables under such views are left out, and rejected where they are named.
   */
  source(
    selection: TableSelection,
    parameters: ViewParameters,
  ): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** The tables of a dataset, or of all schemas as datasets. Rejects with `QueryError`. */
  names(dataset?: string): Promise<readonly (readonly [dataset: string, table: string])[]>;
  close(): Promise<void>;
}

/** Tables by the names that clients use; an empty list is every table of the database. */
interface TableSelection {
  readonly project: string;
  readonly dataset: string;
  readonly tables: readonly TablePath[];
}

const CATALOG_MS = 10_000;

/** Opens a database; the first connection is made for the first query. */
export function openPostgresWarehouse(mapping: PostgresMapping): PostgresWarehouse {
  const pool = createPostgresPool(mapping);
  const parser = loadParser();
  const catalog = (narrowed: boolean) =>
    pool.transaction({ timeoutMs: CATALOG_MS, signal: AbortSignal.timeout(CATALOG_MS) }, async (execute) => ({
      tables: await listTables(execute),
      functions: await listFunctions(execute),
      secureViews: narrowed ? await readSecureViews(execute) : undefined,
    }));
  return {
    async source({ project, dataset, tables }, parameters) {
      const settings = toSettings(parameters);
      const { tables: found, functions, secureViews } = await catalog(Object.keys(settings).length > 0);
      const visible = found.filter(({ schema, table }) => !secureViews?.underlying.has(keyOf(schema, table)));
      const selected = tables.length > 0 ? tables : shownTables(visible, mapping, project, dataset);
      const located = selected.map((path) => ({ path, origin: originOf(path, found, mapping) }));
      const missing = located.flatMap(({ path, origin }) => (origin ? [] : [path]));
      if (missing.length > 0) return { missing };
      const scope = located.flatMap(({ path, origin }): ScopedTable[] => (origin ? [{ path, origin }] : []));
      if (secureViews) checkSecureViews(scope, secureViews, parameters);
      return createPostgresSource({ pool, parser: await parser, functions, scope, settings });
    },
    async names(dataset) {
      const { tables: found } = await catalog(false);
      const shown = dataset === undefined ? mapping.schema : schemaOf(dataset, found, mapping);
      return found
        .filter((one) => shown === undefined || one.schema === shown)
        .map((one) => [dataset ?? one.schema, one.table]);
    },
    close: () => pool.close(),
  };
}

function shownTables(
  found: readonly FoundTable[],
  mapping: PostgresMapping,
  project: string,
  dataset: string,
): readonly TablePath[] {
  const schema = schemaOf(dataset, found, mapping);
  return found.filter((one) => one.schema === schema).map(({ table }) => [project, dataset, table]);
}

/** The dataset is a schema: the configured one, else one of its name, else `public`. A table name may include its schema. */
function originOf(
  [, dataset = "", table = ""]: TablePath,
  found: readonly FoundTable[],
  mapping: PostgresMapping,
): ScopedTable["origin"] | undefined {
  const schema = schemaOf(dataset, found, mapping);
  const one =
    found.find((each) => each.schema === schema && each.table === table) ??
    found.find((each) => `${each.schema}.${each.table}` === table);
  return one && [one.schema, one.table];
}

function schemaOf(dataset: string, found: readonly FoundTable[], { schema }: PostgresMapping): string {
  return schema ?? (found.some((one) => one.schema === dataset) ? dataset : "public");
}
