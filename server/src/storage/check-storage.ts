import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "#base";
import type { StorageOptions } from "./contract.ts";
import { StorageError } from "./errors.ts";
import { UNFINISHED_MOVE, unfinishedMove } from "./move/unfinished-move.ts";

/** Larger databases are not read whole, bytes. */
const MAX_READ = 256 * 1_024 * 1_024;

/**
 * Looks at the database that is configured, or that of the data folder, and changes nothing; a server may run on it. Returns what was found, one sentence
 * without a full stop. Throws a `StorageError` with one sentence for the operator.
 */
export async function checkStorage(
  options: Omit<StorageOptions, "clock" | "onCommit">,
  clock: Clock = systemClock,
): Promise<string> {
  const tables = await checkTables(options, clock);
  if (!options.bucket) return tables;
  const { openBucket } = await import("./s3/bucket.ts");
  const bucket = openBucket(options.bucket, clock);
  await bucket.names("", 1).finally(() => bucket.close());
  return `${tables}; files in the bucket ${bucket.place}`;
}

async function checkTables(
  { dataDir, database, logger }: Omit<StorageOptions, "clock" | "onCommit">,
  clock: Clock,
): Promise<string> {
  if (!database) {
    if (existsSync(join(dataDir, UNFINISHED_MOVE))) throw unfinishedMove(dataDir);
    return checkFile(join(dataDir, "frontdesk.db"));
  }
  const { checkDatabase } = await import("./postgres/check-database.ts");
  const version = await checkDatabase(database, logger, clock);
  return `PostgreSQL, schema version ${version}`;
}

function checkFile(path: string): string {
  if (!existsSync(path)) return "SQLite; the first start makes the database";
  const { size } = statSync(path);
  const megabytes = `${(size / 1_048_576).toFixed(1)} MiB`;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const check = size > MAX_READ ? "pragma schema_version" : "pragma quick_check(1)";
    const found = database.prepare(check).get()?.quick_check ?? "ok";
    if (found !== "ok") throw new StorageError("FAILED", `The database '${path}' is damaged: ${found}.`);
    return `SQLite, ${megabytes}`;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError("FAILED", `The database '${path}' cannot be read: ${(error as Error).message}.`);
  } finally {
    database.close();
  }
}
