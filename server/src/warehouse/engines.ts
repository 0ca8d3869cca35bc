import type { Logger } from "#base";
import type { BigQueryWarehouse } from "./bigquery/bigquery-warehouse.ts";
import type { DuckdbWarehouse } from "./duckdb/duckdb-warehouse.ts";
import type { MappedDatabase } from "./mapping/mapped-database.ts";
import type { BigQueryAccess, PostgresMapping, RemoteMapping, WarehouseConfig } from "./mapping/warehouse-config.ts";

/** The engines behind the warehouse. Each is loaded and opened when it is first requested. */
export interface Engines {
  duckdb(): Promise<DuckdbWarehouse>;
  /** Undefined as long as nothing has requested it. */
  openedDuckdb(): Promise<DuckdbWarehouse | undefined>;
  /** A database of the configuration. */
  postgres(mapping: PostgresMapping): Promise<MappedDatabase>;
  /** A database of the configuration behind another wire. */
  remote(mapping: RemoteMapping): Promise<MappedDatabase>;
  /** BigQuery with an access of the configuration. */
  bigquery(access: BigQueryAccess): Promise<BigQueryWarehouse>;
  close(): Promise<void>;
}

export function createEngines(config: WarehouseConfig, logger?: Pick<Logger, "warn">): Engines {
  const duckdb = openOnce(() =>
    import("./duckdb/duckdb-warehouse.ts").then(({ openDuckdbWarehouse }) => openDuckdbWarehouse(config, logger)),
  );
  const databases = new Map(
    (config.postgres ?? []).map((mapping) => [
      mapping,
      openOnce(() =>
        import("./postgres/postgres-warehouse.ts").then(({ openPostgresWarehouse }) => openPostgresWarehouse(mapping)),
      ),
    ]),
  );
  const remotes = new Map(
    (config.remote ?? []).map((mapping) => [
      mapping,
      openOnce(() => import("./remote/open-remote.ts").then(({ openRemote }) => openRemote(mapping))),
    ]),
  );
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
    postgres: async (mapping) => {
      const database = databases.get(mapping);
      if (!database) throw new Error("the database is not in the configuration");
      return database.get();
    },
    remote: async (mapping) => {
      const database = remotes.get(mapping);
      if (!database) throw new Error("the database is not in the configuration");
      return database.get();
    },
    bigquery: async (access) => {
      const bigquery = accesses.get(access);
      if (!bigquery) throw new Error("the access is not in the configuration");
      return bigquery.get();
    },
    close: async () => {
      await Promise.all(
        [duckdb, ...databases.values(), ...remotes.values(), ...accesses.values()].map(async (engine) =>
          (await engine.opened())?.close(),
        ),
      );
    },
  };
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
