import type { BigQueryWarehouse } from "./bigquery/bigquery-warehouse.ts";
import type { DuckdbWarehouse } from "./duckdb/duckdb-warehouse.ts";
import type { BigQueryAccess, PostgresMapping, WarehouseConfig } from "./mapping/warehouse-config.ts";
import type { PostgresWarehouse } from "./postgres/postgres-warehouse.ts";

/** The engines behind the warehouse, each loaded and opened when it is first asked for. */
export interface Engines {
  duckdb(): Promise<DuckdbWarehouse>;
  /** One of the configuration's databases. */
  postgres(mapping: PostgresMapping): Promise<PostgresWarehouse>;
  /** BigQuery by one of the configuration's accesses. */
  bigquery(access: BigQueryAccess): Promise<BigQueryWarehouse>;
  close(): Promise<void>;
}

export function createEngines(config: WarehouseConfig): Engines {
  const duckdb = once(() =>
    import("./duckdb/duckdb-warehouse.ts").then(({ openDuckdbWarehouse }) => openDuckdbWarehouse(config)),
  );
  const databases = new Map(
    (config.postgres ?? []).map((mapping) => [
      mapping,
      once(() =>
        import("./postgres/postgres-warehouse.ts").then(({ openPostgresWarehouse }) => openPostgresWarehouse(mapping)),
      ),
    ]),
  );
  const accesses = new Map(
    (config.bigquery ?? []).map(({ access }) => [
      access,
      once(() =>
        import("./bigquery/bigquery-warehouse.ts").then(({ openBigQueryWarehouse }) => openBigQueryWarehouse(access)),
      ),
    ]),
  );
  return {
    duckdb: duckdb.get,
    postgres: async (mapping) => {
      const database = databases.get(mapping);
      if (!database) throw new Error("this database is not of the configuration");
      return database.get();
    },
    bigquery: async (access) => {
      const bigquery = accesses.get(access);
      if (!bigquery) throw new Error("this access is not of the configuration");
      return bigquery.get();
    },
    close: async () => {
      await Promise.all(
        [duckdb, ...databases.values(), ...accesses.values()].map(async (engine) => (await engine.opened())?.close()),
      );
    },
  };
}

/** Opened at the first call; after a failure the next call tries again: a missing file may be there by then. */
function once<Engine>(open: () => Promise<Engine>) {
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
