import type { SqlSource, TablePath } from "../contract.ts";
import type { PostgresMapping } from "../mapping/warehouse-config.ts";
import { type FoundTable, listFunctions, listTables } from "./catalog.ts";
import { loadParser } from "./gate/parse.ts";
import type { ScopedTable } from "./gate/pass-gate.ts";
import { createPostgresSource } from "./postgres-source.ts";
import { keyOf, readSecureViews, refuseUnnarrowed, settingsOf, type ViewParameters } from "./secure-views.ts";
import { createPostgresSessions } from "./session.ts";

/** One mapped PostgreSQL database. */
export interface PostgresWarehouse {
  /**
   * A source over these tables, all of them where none is named; names that it does not have come back instead. With parameters of
   * secure views, tables under such views are left out, and refused where they are named.
   */
  source(
    wanted: WantedTables,
    parameters: ViewParameters,
  ): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  close(): Promise<void>;
}

/** Tables by their names outside; an empty list is every table of the database. */
export interface WantedTables {
  readonly project: string;
  readonly dataset: string;
  readonly tables: readonly TablePath[];
}

const CATALOG_MS = 10_000;

/** Opens a database; the first connection is made with the first question. */
export function openPostgresWarehouse(mapping: PostgresMapping): PostgresWarehouse {
  const sessions = createPostgresSessions(mapping);
  const parser = loadParser();
  const catalog = (narrowed: boolean) =>
    sessions.transaction({ timeoutMs: CATALOG_MS, signal: AbortSignal.timeout(CATALOG_MS) }, async (ask) => ({
      tables: await listTables(ask),
      functions: await listFunctions(ask),
      secureViews: narrowed ? await readSecureViews(ask) : undefined,
    }));
  return {
    async source({ project, dataset, tables }, parameters) {
      const settings = settingsOf(parameters);
      const { tables: found, functions, secureViews } = await catalog(Object.keys(settings).length > 0);
      const open = found.filter(({ schema, table }) => !secureViews?.guarded.has(keyOf(schema, table)));
      const wanted = tables.length > 0 ? tables : shownTables(open, mapping, project, dataset);
      const placed = wanted.map((path) => ({ path, origin: originOf(path, found, mapping) }));
      const missing = placed.flatMap(({ path, origin }) => (origin ? [] : [path]));
      if (missing.length > 0) return { missing };
      const scope = placed.flatMap(({ path, origin }): ScopedTable[] => (origin ? [{ path, origin }] : []));
      if (secureViews) refuseUnnarrowed(scope, secureViews, parameters);
      return createPostgresSource({ sessions, parser: await parser, functions, scope, settings });
    },
    close: () => sessions.close(),
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

/** The dataset is a schema: the configured one, else one of its name, else `public`. A table's name may say its schema. */
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
