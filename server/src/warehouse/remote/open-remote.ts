import type { MappedDatabase } from "../mapping/mapped-database.ts";
import type { RemoteEngineName, RemoteMapping } from "../mapping/warehouse-config.ts";
import type { RemoteEngine } from "./contract.ts";
import { createRemoteWarehouse } from "./remote-warehouse.ts";

/** Engines by their names in the configuration; each is loaded when it is first used. */
const ENGINES: Readonly<Record<RemoteEngineName, (mapping: RemoteMapping) => Promise<RemoteEngine>>> = {
  clickhouse: async (mapping) => (await import("../clickhouse/clickhouse-warehouse.ts")).openClickHouse(mapping),
  databricks: async (mapping) => (await import("../databricks/databricks-warehouse.ts")).openDatabricks(mapping),
  mysql: async (mapping) => (await import("../mysql/mysql-warehouse.ts")).openMysql(mapping),
  redshift: async (mapping) => (await import("../redshift/redshift-warehouse.ts")).openRedshift(mapping),
  snowflake: async (mapping) => (await import("../snowflake/snowflake-warehouse.ts")).openSnowflake(mapping),
  sqlserver: async (mapping) => (await import("../sqlserver/sqlserver-warehouse.ts")).openSqlServer(mapping),
  trino: async (mapping) => (await import("../trino/trino-warehouse.ts")).openTrino(mapping),
};

/** Opens the database of a mapping; the code of its engine loads with the first one. */
export async function openRemote(mapping: RemoteMapping): Promise<MappedDatabase> {
  return createRemoteWarehouse(await ENGINES[mapping.engine](mapping), mapping.schema);
}
