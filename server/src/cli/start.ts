import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { extname } from "node:path";
import type { Server } from "#app";
import type { Command } from "./command.ts";
import { portError, startErrorOf } from "./start-error.ts";
import { onHangup, stopSignal } from "./stop-signal.ts";

/** `frontdesk start`: runs the server until a signal stops it. */
export const start: Command = {
  name: "start",
  operands: "",
  summary: "start the server",
  flags: [
    { name: "port", value: "number", summary: "TCP port (FRONTDESK_PORT; default 8080; 0: any free port)" },
    { name: "host", value: "address", summary: "address to bind (FRONTDESK_HOST; default 127.0.0.1)" },
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    {
      name: "record",
      value: "folder",
      summary: "record sessions in this folder, for frontdesk replay (FRONTDESK_RECORD)",
    },
    {
      name: "log",
      value: "level",
      values: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      summary: "log level: trace, debug, info, warn, error, fatal or silent (FRONTDESK_LOG; default info)",
    },
    {
      name: "log-format",
      value: "format",
      values: ["json", "pretty", "auto"],
      summary: "json, pretty, or auto: pretty on a terminal (FRONTDESK_LOG_FORMAT; default auto)",
    },
    {
      name: "auth",
      value: "mode",
      values: ["off", "required"],
      summary:
        "off, or required: callers must be known (FRONTDESK_AUTH; default: off while only this machine can call)",
    },
    {
      name: "origin",
      value: "url",
      summary: "address by which clients call, where callers must be known (FRONTDESK_ORIGIN; default: the bound one)",
    },
    {
      name: "allow-unauthenticated",
      summary: "allow an address that others can reach, although authentication is off",
    },
    {
      name: "drain-delay",
      value: "seconds",
      summary:
        "how long a server that is stopped says so on /readyz and still takes calls (FRONTDESK_DRAIN_DELAY_SECONDS; default 0)",
    },
    { name: "no-example", summary: "do not add the example app and the sample data to a new data folder" },
  ],
  examples: ["start", "start --port 0 --data /tmp/desk", "start --config frontdesk.yaml --auth required"],
  run: async ({ flags }) => {
    const args = Object.entries(flags).flatMap(([name, value]) =>
      value === true ? [`--${name}`] : [`--${name}`, String(value)],
    );
    // Most servers have a data folder: its thread starts while the code of the server is read.
    (await import("#storage/sqlite")).prepareWriterThread();
    const { readConfig, startServer } = await import("#app");
    try {
      const config = readConfig(args);
      const server = await startServer(config); // A signal during the start ends the process; nothing is lost.
      const stop = stopSignal();
      onHangup(server.reread);
      const stopped = stop.aborted ? undefined : once(stop, "abort");
      if (config.logFormat === "json") server.logUp();
      else process.stderr.write(await server.banner(process.stderr.isTTY)); // Who reads a file or a collector's log need not be who may sign in.
      tellStarter("ready"); // to the launcher, or to a process manager that waits for it, as PM2's wait_ready does
      const warming = setTimeout(() => void warm(server), WARM_AFTER_MS);
      // Node would do so when the process ends well, which a container rarely does. The two thousand files of the sources would take seconds.
      if (extname(import.meta.filename) === ".js") flushCompileCache();
      await stopped;
      clearTimeout(warming);
      await server.stop();
      return 0;
    } catch (error) {
      throw portError(error) ?? (await startErrorOf(error));
    }
  },
};

/** Milliseconds after the start until Python is started, if no call has done that by then: what is asked of a new server first is whether it is ready. */
const WARM_AFTER_MS = 200;

/** Starts Python, so that no call waits for that. Tells the launcher when it runs, or cannot: only then the console is built, so that no first turn waits for that. */
async function warm({ app }: Server): Promise<void> {
  await app.sandbox.inspect("").catch((error: unknown) => app.logger.debug({ err: error }, "Python does not run"));
  tellStarter("warm");
}

/** Says something to who started this process with a channel. Who is gone meanwhile need not know. */
function tellStarter(message: string): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
