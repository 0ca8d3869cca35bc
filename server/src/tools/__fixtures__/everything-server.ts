import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/** The protocol's own example server over HTTP, in a process of its own. */
export interface EverythingServer extends AsyncDisposable {
  /** Where it listens: ends in `/mcp`. */
  readonly address: string;
  readonly port: number;
}

/** Starts `@modelcontextprotocol/server-everything` on a port of this machine. */
export async function startEverythingServer(port: number): Promise<EverythingServer> {
  const entry = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const child = spawn(process.execPath, [entry, "streamableHttp"], {
    env: { PORT: String(port) },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = `http://127.0.0.1:${port}/mcp`;
  while (!(await answers(address))) {
    if (child.exitCode !== null) throw new Error(`The example server ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    address,
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answers(address: string): Promise<boolean> {
  return fetch(address, { method: "GET" }).then(
    () => true,
    () => false,
  );
}
