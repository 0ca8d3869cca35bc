import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { LoadOrder, LoadResult } from "./load.ts";

const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

/** A process of the benchmark; killed when the benchmark lets go of it. */
export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a script of this folder that prints its port when it listens. */
export async function startScript(name: string, ...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, name), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return running(child, Number(await firstLine(child)));
}

/** Starts the product on a free port; resolves when `/readyz` answers, with the milliseconds that took. */
export async function startFrontdesk(
  dataDir: string,
  configFile: string,
): Promise<Running & { readonly startMs: number }> {
  const port = await freePort();
  const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");
  const started = performance.now();
  const args = [
    ...NODE_FLAGS,
    main,
    "start",
    "--port",
    String(port),
    "--data",
    dataDir,
    "--config",
    configFile,
    "--log",
    "warn",
    "--no-example",
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, GEMINI_API_KEY: "bench" },
  });
  while (!(await answers(`http://127.0.0.1:${port}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { ...running(child, port), startMs: performance.now() - started };
}

/** Runs a load to its end. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, "load.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await firstLine(child)) as LoadResult;
}

/** Resident memory of a process, megabytes (Linux). */
export function residentMegabytes({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function running(child: ChildProcess, port: number): Running {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    child,
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("exit", (code) => reject(new Error(`a process of the benchmark ended with ${code}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
