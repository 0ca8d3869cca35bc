import type { Logger } from "#base";
import type { Storage, StorageOptions } from "./contract.ts";
import type { DatabaseOptions } from "./shared-contract.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** Opens the database that is configured, or else the data folder. Throws a `StorageError` with one sentence for the operator. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database } = options;
  if (!database) return openSqlite(options);
  // The driver is loaded only where it is used.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres({ ...options, database });
}

/** Migrates the schema of a database without opening its stores: from one version to another, which are equal when nothing was to do. */
export async function migrateSchema(
  database: DatabaseOptions,
  logger: Logger,
): Promise<{ readonly from: number; readonly to: number }> {
  const { migrateDatabase } = await import("./postgres/open-postgres.ts");
  return migrateDatabase(database, logger);
}
