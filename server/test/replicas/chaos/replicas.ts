import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#testing";
import { FLAGS } from "../../program.ts";

/** A server process that can be killed, frozen and started again at the same address. */
export interface ReplicaProcess {
  readonly address: string;
  /** Ends the process without a word. */
  kill(): Promise<void>;
  /** Stops it as an upgrade does: it finishes what it has begun. */
  drain(): Promise<void>;
  freeze(milliseconds: number): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a replica on the database at `url`. */
export async function startReplica(url: string): Promise<ReplicaProcess> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-replica-"));
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const script = new URL("./replica-process.ts", import.meta.url);
    const stdio = ["ignore" as const, "inherit" as const, "inherit" as const, "ipc" as const];
    child = fork(script, [url, folder, String(port)], { execArgv: [...FLAGS], stdio });
    await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => {
        throw new Error(`a replica ended with ${code} before it was ready`);
      }),
    ]);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  await start();
  return {
    address: `http://127.0.0.1:${port}`,
    kill: () => end("SIGKILL"),
    drain: () => end("SIGTERM"),
    freeze: async (milliseconds) => {
      child?.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      child?.kill("SIGCONT");
    },
    start,
    close: async () => {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
