import type { Logger } from "#base";
import type { BigQueryWarehouse } from "./bigquery/bigquery-warehouse.ts";
import type { DuckdbWarehouse } from "./duckdb/duckdb-warehouse.ts";
import type { MappedDatabase } from "./mapping/mapped-database.ts";
import type { BigQueryAccess, DatabaseMapping, WarehouseConfig } from "./mapping/warehouse-config.ts";

/** The engines behind the warehouse. Each is loaded and opened when it is first requested. */
export interface Engines {
  duckdb(): Promise<DuckdbWarehouse>;
  /** Undefined as long as nothing has requested it. */
  openedDuckdb(): Promise<DuckdbWarehouse | undefined>;
  /** The database of a mapping. */
  database(mapping: DatabaseMapping): Promise<MappedDatabase>;
  /** Closes the connections to the database of a mapping; the next query opens others. */
  closed(mapping: DatabaseMapping): Promise<void>;
  /** BigQuery with an access of the configuration. */
  bigquery(access: BigQueryAccess): Promise<BigQueryWarehouse>;
  close(): Promise<void>;
}

/** Opens an engine when it is first used, and once. */
export function createEngines(config: WarehouseConfig, logger?: Pick<Logger, "warn">): Engines {
  const duckdb = openOnce(() =>
    import("./duckdb/duckdb-warehouse.ts").then(({ openDuckdbWarehouse }) => openDuckdbWarehouse(config, logger)),
  );
  const databases = new Map<DatabaseMapping, ReturnType<typeof openOnce<MappedDatabase>>>();
  const accesses = new Map(
    (config.bigquery ?? []).map(({ access }) => [
      access,
      openOnce(() =>
        import("./bigquery/bigquery-warehouse.ts").then(({ openBigQueryWarehouse }) => openBigQueryWarehouse(access)),
      ),
    ]),
  );
  return {
    duckdb: duckdb.get,
    openedDuckdb: duckdb.opened,
    async database(mapping) {
      const database = databases.get(mapping) ?? openOnce(() => openMapped(mapping));
      databases.set(mapping, database);
      return database.get();
    },
    async closed(mapping) {
      await (await databases.get(mapping)?.opened())?.close();
    },
    bigquery: async (access) => {
      const bigquery = accesses.get(access);
      if (!bigquery) throw new Error("the access is not in the configuration");
      return bigquery.get();
    },
    close: async () => {
      await Promise.all(
        [duckdb, ...databases.values(), ...accesses.values()].map(async (engine) => (await engine.opened())?.close()),
      );
    },
  };
}

/** Opens the database of a mapping by itself; the first connection is made for the first query. */
export async function openMapped(mapping: DatabaseMapping): Promise<MappedDatabase> {
  if ("engine" in mapping) return (await import("./remote/open-remote.ts")).openRemote(mapping);
  return (await import("./postgres/postgres-warehouse.ts")).openPostgresWarehouse(mapping);
}

/** Opens at the first call. After a failure the next call tries again: a missing file may exist by then. */
function openOnce<Engine>(open: () => Promise<Engine>) {
  let engine: Promise<Engine> | undefined;
  return {
    get(): Promise<Engine> {
      engine ??= open().catch((error) => {
        engine = undefined;
        throw error;
      });
      return engine;
    },
    opened: async () => engine?.catch(() => undefined),
  };
}
