import { CommandError } from "./command.ts";

/**
 * A fault that a server did not start for. What its configuration or its data folder is to blame for is told in one sentence,
 * with `whenLocked` behind it where another server has the folder; anything else is handed back as it is.
 */
export async function startFault(error: unknown, whenLocked = ""): Promise<unknown> {
  const { ConfigError, StorageError } = await import("#app");
  if (error instanceof StorageError) {
    const advice = error.reason === "LOCKED" ? whenLocked : "";
    return new CommandError([error.message, advice].filter(Boolean).join(" "));
  }
  return error instanceof ConfigError ? new CommandError(error.message) : error;
}
