import type { TablePath } from "../contract.ts";
import { locate, type MappedDatabase, schemaOf, shownNames, shownTables } from "../mapping/mapped-database.ts";
import type { FoundTable, RemoteEngine } from "./contract.ts";
import { createRemoteSource } from "./remote-source.ts";

const CATALOG_MS = 20_000;

/** A mapped database behind a wire. `schema`: what datasets show; default the schema of their name, else that of the login. */
export function createRemoteWarehouse(engine: RemoteEngine, schema: string | undefined): MappedDatabase {
  const schemas = () => ({ schema, otherwise: engine.defaultSchema });
  const tables = () => engine.tables(AbortSignal.timeout(CATALOG_MS));
  return {
    async source(selection) {
      const found = await tables();
      const selected = selection.tables.length > 0 ? selection.tables : shownTables(found, selection, schemas());
      const located = locate(selected, (path) => originOf(path, found, schemaOf(path[1] ?? "", found, schemas())));
      return "missing" in located ? located : createRemoteSource(engine, located.scope);
    },
    names: async (dataset) => shownNames(await tables(), dataset, schemas()),
    close: () => engine.close(),
  };
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
