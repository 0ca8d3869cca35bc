import { createLogger, systemClock } from "#base";
import { type MoveReport, moveStorage } from "#storage";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-values.ts";

/** Copies everything between the data folder and the database of a configuration (DB-11). `progress` is called with a line now and then. */
export async function moveData(
  { dataDir, database, sealing }: Pick<Config, "dataDir" | "database" | "sealing">,
  direction: "to-database" | "to-folder",
  progress: (line: string) => void,
): Promise<MoveReport> {
  if (!database) throw new ConfigError("FRONTDESK_DATABASE_URL is not set: it names one end of the move.");
  const options = { dataDir, database, clock: systemClock, logger: createLogger("silent") };
  const report = await moveStorage(options, direction, progress);
  if (sealing.from === "data-folder")
    progress(
      `What is sealed was sealed with 'sealing.key' of '${dataDir}': give that key to all servers as FRONTDESK_SEALING_KEY, or in 'sealing.key' of their folder.`,
    );
  return report;
}
