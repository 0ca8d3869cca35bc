import { CommandError } from "./command.ts";

/**
 * The error of a start as a `CommandError`, when the configuration or the data folder is the reason. `whenLocked` is added to the message
 * when another server has locked the folder. Other errors are returned unchanged.
 */
export async function startErrorOf(error: unknown, whenLocked = ""): Promise<unknown> {
  const { ConfigError, StorageError } = await import("#app");
  const reason = error instanceof Error && error.cause instanceof StorageError ? error.cause : error;
  if (reason instanceof StorageError) {
    const advice = reason.reason === "LOCKED" ? whenLocked : "";
    return new CommandError([reason.message, advice].filter(Boolean).join(" "));
  }
  return error instanceof ConfigError ? new CommandError(error.message) : error;
}

/** Node's error of a port that cannot be opened. */
interface ListenError {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** The error of a port that cannot be opened; undefined for anything else. */
export function portError(error: unknown): CommandError | undefined {
  const { code, port, address, hostname } = error as ListenError;
  if (code === "EADDRINUSE")
    return new CommandError(
      `port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
    );
  if (code === "EACCES" && port !== undefined)
    return new CommandError(`this user may not open port ${port}. Choose a port above 1023 with --port.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new CommandError(`'${address ?? hostname}' is not an address of this machine. Choose another with --host.`);
  return undefined;
}
