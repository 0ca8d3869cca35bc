import { CommandError } from "./command.ts";

/**
 * The error of a start as a `CommandError`, when the configuration or the data folder is the reason, or the start was refused. `whenLocked` is added to the
 * message when another server has locked the folder. Other errors are returned unchanged.
 */
export async function startErrorOf(error: unknown, whenLocked = ""): Promise<unknown> {
  const { ConfigError, StorageError } = await import("#app");
  const reason = error instanceof Error && error.cause instanceof StorageError ? error.cause : error;
  if (reason instanceof StorageError) {
    const advice = reason.reason === "LOCKED" ? whenLocked : "";
    return new CommandError([reason.message, advice].filter(Boolean).join(" "));
  }
  return error instanceof ConfigError ? new CommandError(error.message) : refusalOf(error);
}

/** What the code of the server refused, in one sentence. An internal error says only that the log has more, so what caused it is said. */
async function refusalOf(error: unknown): Promise<unknown> {
  const [{ Code, ConnectError }, { commandErrorOf }] = await Promise.all([
    import("#status"),
    import("./server/refusal-text.ts"),
  ]);
  const isInternal = error instanceof ConnectError && error.code === Code.Internal;
  return isInternal && error.cause instanceof Error ? new CommandError(error.cause.message) : commandErrorOf(error);
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
