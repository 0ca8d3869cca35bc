import { join } from "node:path";
import { createLogger, definedFields, systemClock } from "#base";
import { type MoveReport, moveBlobs, moveStorage } from "#storage";
import { ConfigError } from "./config/config-values.ts";
import type { Config } from "./config.ts";

type Direction = "to-database" | "to-folder" | "to-bucket" | "from-bucket";

/**
 * Copies everything between the data folder and the database of a configuration (DB-11), or blobs between these and the bucket (DB-14).
 * `progress` is called with a line now and then.
 */
export async function moveData(
  { dataDir, database, bucket, sealing }: Pick<Config, "dataDir" | "database" | "bucket" | "sealing">,
  direction: Direction,
  progress: (line: string) => void,
): Promise<MoveReport> {
  if (direction === "to-bucket" || direction === "from-bucket") {
    if (!bucket) throw new ConfigError("FRONTDESK_S3_BUCKET is not set: it names one end of the move.");
    const ends = { dataDir, ...definedFields({ database }), bucket };
    return moveBlobs({ ...ends, clock: systemClock, logger: createLogger("silent") }, direction, progress);
  }
  if (!database) throw new ConfigError("FRONTDESK_DATABASE_URL is not set: it names one end of the move.");
  const options = { dataDir, database, clock: systemClock, logger: createLogger("silent") };
  const report = await moveStorage(options, direction, progress);
  if (sealing.from === "data-folder") progress(KEY_NEEDED[direction](dataDir));
  return report;
}

/** What opens secrets that are stored sealed, which no move copies. Where the key is in a folder, it is not known whether that is the right one. */
const KEY_NEEDED = {
  "to-database": (folder: string) =>
    `What is sealed was sealed with 'sealing.key' of '${folder}': give that key to all servers as FRONTDESK_SEALING_KEY, or in 'sealing.key' of their folder.`,
  "to-folder": (folder: string) =>
    `What is sealed was sealed with the key of the servers of the database: set FRONTDESK_SEALING_KEY to it, or write it into '${join(folder, "sealing.key")}', before a server starts there.`,
};
