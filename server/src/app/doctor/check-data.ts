import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createLogger, ifThere, systemClock } from "#base";
import { checkStorage, readStoredValue, StorageError } from "#storage";
import { auditFileFault } from "../audit-file.ts";
import { clockDoubt, LAST_USE } from "../build/clock-watch.ts";
import { storagePlace } from "../config/database-section.ts";
import type { Config } from "../config.ts";
import type { Finding } from "./finding.ts";

/** Free space below which a server soon stands still, bytes. */
const LITTLE_SPACE = 1_073_741_824;

/** Whether the data folder can be written, and has space. */
export async function checkData({ dataDir }: Pick<Config, "dataDir">): Promise<Finding> {
  const name = "data folder";
  const path = resolve(dataDir);
  const found = await nearest(path);
  if ("fault" in found) return { name, state: "fault", detail: found.fault, fix: "choose another with --data" };
  const { existing } = found;
  const isThere = existing === path;
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    const detail = isThere ? `${path} cannot be written` : `${path} cannot be made in ${existing}`;
    return { name, state: "fault", detail, fix: "give this user the folder, or choose another with --data" };
  }
  const { bavail, bsize } = await statfs(existing);
  const gibibytes = ((bavail * bsize) / 2 ** 30).toFixed(1);
  const detail = `${path}${isThere ? "" : " is made at the first start"}, ${gibibytes} GiB free`;
  if (bavail * bsize >= LITTLE_SPACE) return { name, state: "ok", detail };
  return { name, state: "warning", detail, fix: "free some space: a turn that cannot be stored is not answered" };
}

/** The folder at the path, or the nearest above it that is there; or why there can be none. */
async function nearest(path: string): Promise<{ readonly existing: string } | { readonly fault: string }> {
  try {
    for (let above = path; ; above = dirname(above)) {
      const found = await ifThere(stat(above));
      if (found) return found.isDirectory() ? { existing: above } : { fault: `${above} is not a folder` };
      if (above === dirname(above)) return { fault: `${above} is not there` };
    }
  } catch (error) {
    return { fault: `${path} cannot be looked at (${(error as NodeJS.ErrnoException).message})` };
  }
}

/** Whether the database can be read, and is of this release. */
export async function checkDatabase(config: Pick<Config, "dataDir" | "database">): Promise<Finding> {
  const name = "database";
  try {
    const detail = await checkStorage({ ...storagePlace(config), logger: createLogger("silent") });
    return { name, state: "ok", detail };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const detail = error.message.replace(/\.$/, "");
    const isMigrated = error.reason === "OLDER_SCHEMA" && config.database?.migrate !== false;
    if (isMigrated)
      return { name, state: "warning", detail, fix: "the next start migrates it; so does 'frontdesk migrate'" };
    return { name, state: "fault", detail, fix: "see docs/scale.md for the database, or restore the data folder" };
  }
}

/** Whether servers will doubt the clock (DB-31), where the database can be read at all: what keeps it from that is another finding. */
export async function checkLastUse(config: Pick<Config, "dataDir" | "database">): Promise<readonly Finding[]> {
  const place = { ...storagePlace(config), logger: createLogger("silent") };
  const lastUse = await readStoredValue(place, LAST_USE).catch(() => undefined);
  if (lastUse === undefined) return [];
  const name = "last use";
  const doubt = clockDoubt(systemClock.now(), Number(lastUse));
  if (doubt) return [{ name, state: "warning", ...doubt }];
  return [{ name, state: "ok", detail: "the clock is not far from the time when the data was last in use" }];
}

/** Whether the file of the audit log can be written, where one is configured. */
export async function checkAuditFile({ audit: { file } }: Pick<Config, "audit">): Promise<readonly Finding[]> {
  if (file === undefined) return [];
  const name = "audit file";
  const detail = await auditFileFault(file);
  if (detail === undefined) return [{ name, state: "ok", detail: file }];
  return [
    { name, state: "fault", detail, fix: "make a folder that this user can write, or name another in audit.file" },
  ];
}
