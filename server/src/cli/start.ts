import { type Command, CommandError } from "./command.ts";
import { startFault } from "./start-faults.ts";

/** `frontdesk start`: the server, until it is told to stop. */
export const start: Command = {
  name: "start",
  operands: "",
  summary: "start the server",
  flags: [
    { name: "port", value: "number", summary: "TCP port (FRONTDESK_PORT; default 8080; 0 picks a free one)" },
    { name: "host", value: "address", summary: "address to bind (FRONTDESK_HOST; default 127.0.0.1)" },
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    { name: "record", value: "folder", summary: "record sessions there, for frontdesk replay (FRONTDESK_RECORD)" },
    { name: "log", value: "level", summary: "trace, debug, info, warn, error or silent (FRONTDESK_LOG; default info)" },
    { name: "allow-unauthenticated", summary: "bind an address that others can reach although authentication is off" },
    { name: "no-example", summary: "do not import the shipped example into an empty data folder" },
  ],
  run: async ({ flags }) => {
    const args = Object.entries(flags).flatMap(([name, value]) =>
      value === true ? [`--${name}`] : [`--${name}`, String(value)],
    );
    const { readConfig, startServer } = await import("#app");
    try {
      const server = await startServer(readConfig(args)); // A signal until here ends the process; nothing is lost by that.
      const stopped = untilStopped();
      process.stderr.write(server.banner);
      await stopped;
      await server.stop();
      return 0;
    } catch (error) {
      throw portFault(error) ?? (await startFault(error));
    }
  },
};

/** What Node says of a port that cannot be opened. */
interface ListenError {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** A port that cannot be opened, in one sentence; undefined for anything else. */
function portFault(error: unknown): CommandError | undefined {
  const { code, port, address, hostname } = error as ListenError;
  if (code === "EADDRINUSE")
    return new CommandError(`port ${port} is in use. Stop what uses it, or choose another with --port.`);
  if (code === "EACCES" && port !== undefined)
    return new CommandError(`port ${port} may not be opened by this user. Choose one above 1023 with --port.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new CommandError(`'${address ?? hostname}' is no address of this machine. Choose another with --host.`);
  return undefined;
}

/**
 * Resolves at the first signal to stop. A terminal and a launcher both pass Ctrl-C on, so what follows within a second is the
 * same wish; a later one means that the person does not want to wait for turns in flight.
 */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const stop = (): void => {
      first ??= performance.now();
      if (performance.now() - first > 1_000) process.exit(1);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  });
}
