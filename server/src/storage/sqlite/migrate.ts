import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "#base";
import { StorageFault } from "../storage-fault.ts";
import { MIGRATIONS } from "./migrations.ts";

/**
 * Brings the schema to what this program knows, in one transaction. A newer schema is refused: an older program would
 * overwrite what it does not understand.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  clock: Clock,
  migrations: readonly string[] = MIGRATIONS,
): void {
  database.exec(
    "create table if not exists schema_version (version integer primary key, applied_time real not null) strict",
  );
  const found = database.prepare("select coalesce(max(version), 0) as version from schema_version").get()?.version;
  const version = Number(found);
  if (version > migrations.length) throw newerSchema(path, version, migrations.length);
  if (version === migrations.length) return;
  const record = database.prepare("insert into schema_version (version, applied_time) values (?, ?)");
  database.exec("begin immediate");
  try {
    for (const [at, migration] of migrations.slice(version).entries()) {
      database.exec(migration);
      record.run(version + at + 1, clock.now());
    }
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function newerSchema(path: string, found: number, known: number): StorageFault {
  return new StorageFault(
    "NEWER_SCHEMA",
    `The database '${path}' has schema version ${found}, and this release knows only ${known}: start the release that wrote it, or a newer one.`,
  );
}
