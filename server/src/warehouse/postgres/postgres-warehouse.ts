import type { TablePath } from "../contract.ts";
import { locate, type MappedDatabase, schemaOf, shownNames, shownTables } from "../mapping/mapped-database.ts";
import type { PostgresMapping } from "../mapping/warehouse-config.ts";
import { type FoundTable, listFunctions, listTables } from "./catalog.ts";
import { createPostgresPool } from "./connection-pool.ts";
import { createPostgresSource } from "./postgres-source.ts";
import { checkSecureViews, keyOf, readSecureViews, toSettings } from "./secure-views.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";
import { loadParser } from "./statement-check/parse-statement.ts";

const CATALOG_MS = 10_000;

/** Opens a database; the first connection is made for the first query. */
export function openPostgresWarehouse(mapping: PostgresMapping): MappedDatabase {
  const pool = createPostgresPool(mapping);
  const parser = loadParser();
  const schemas = { schema: mapping.schema, otherwise: "public" };
  const catalog = (narrowed: boolean) =>
    pool.transaction({ timeoutMs: CATALOG_MS, signal: AbortSignal.timeout(CATALOG_MS) }, async (execute) => ({
      tables: await listTables(execute),
      functions: await listFunctions(execute),
      secureViews: narrowed ? await readSecureViews(execute) : undefined,
    }));
  return {
    async source(selection, parameters) {
      const settings = toSettings(parameters);
      const { tables: found, functions, secureViews } = await catalog(Object.keys(settings).length > 0);
      const visible = found.filter(({ schema, table }) => !secureViews?.underlying.has(keyOf(schema, table)));
      const selected = selection.tables.length > 0 ? selection.tables : shownTables(visible, selection, schemas);
      const located = locate(selected, (path) => originOf(path, found, schemaOf(path[1] ?? "", found, schemas)));
      if ("missing" in located) return located;
      if (secureViews) checkSecureViews(located.scope, secureViews, parameters);
      return createPostgresSource({ pool, parser: await parser, functions, scope: located.scope, settings });
    },
    names: async (dataset) => shownNames((await catalog(false)).tables, dataset, schemas),
    close: () => pool.close(),
  };
}

/** A table name may include its schema. */
function originOf(
  [, , table = ""]: TablePath,
  found: readonly FoundTable[],
  schema: string,
): ScopedTable["origin"] | undefined {
  const one =
    found.find((each) => each.schema === schema && each.table === table) ??
    found.find((each) => `${each.schema}.${each.table}` === table);
  return one && [one.schema, one.table];
}
