import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ifThere } from "#base";
import { ConfigError } from "./config/config-values.ts";

/** Why the file of the audit log cannot be written by this user, without a full stop; undefined when it can, or will be made. It makes nothing. */
export async function auditFileFault(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  try {
    const found = await ifThere(stat(file));
    if (found?.isDirectory()) return `'${file}' is a folder`;
    if (!found && !(await ifThere(stat(folder)))?.isDirectory()) return `there is no folder '${folder}'`;
    await (found ? access(file, constants.W_OK) : access(folder, constants.W_OK | constants.X_OK));
    return undefined;
  } catch (error) {
    // Its message names the file or the folder: `ELOOP: too many symbolic links encountered, stat '…'`.
    return `it cannot be written (${(error as NodeJS.ErrnoException).message})`;
  }
}

/** Throws `ConfigError` where entries could not be written: found at the first of them, that would be a gap in the log. */
export async function requireAuditFile(file: string | undefined): Promise<void> {
  const fault = file === undefined ? undefined : await auditFileFault(file);
  if (fault)
    throw new ConfigError(`audit.file: ${fault}; make a folder that this user can write, or name another file.`);
}
