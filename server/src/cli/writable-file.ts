import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ifThere } from "#base";
import { CommandError } from "./command.ts";
import { fileErrorReason } from "./file-error.ts";

/** Throws `CommandError` for a file that cannot be written, before anything is done for it. Makes no file. */
export async function checkWritable(path: string): Promise<void> {
  try {
    const found = await ifThere(stat(path));
    if (found?.isDirectory()) throw new CommandError(`${path} is a folder; name a file in it.`);
    await access(found ? path : dirname(path), constants.W_OK);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? `there is no folder ${dirname(path)}` : fileErrorReason(error as Error);
    throw new CommandError(`${path} cannot be written: ${reason ?? (error as Error).message}.`);
  }
}
