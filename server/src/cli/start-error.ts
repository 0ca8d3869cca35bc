import { CommandError } from "./command.ts";

/**
 * The error of a start as a `CommandError`, when the configuration or the data folder is the reason. `whenLocked` is added to the message
 * when another server has locked the folder. Other errors are returned unchanged.
 */
export async function startErrorOf(error: unknown, whenLocked = ""): Promise<unknown> {
  const { ConfigError, StorageError } = await import("#app");
  if (error instanceof StorageError) {
    const advice = error.reason === "LOCKED" ? whenLocked : "";
    return new CommandError([error.message, advice].filter(Boolean).join(" "));
  }
  return error instanceof ConfigError ? new CommandError(error.message) : error;
}
