import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { NODE_FLAGS, SERVER_FLAGS } from "../bin/node-flags.mjs";
import type { LoadOrder, LoadResult } from "./load.ts";

/** A process of the benchmark; killed when the benchmark lets go of it. */
export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The environment of a server over a PostgreSQL database, the same for all servers of it. */
export function databaseVariables(url: string): Readonly<Record<string, string>> {
  return { FRONTDESK_DATABASE_URL: url, FRONTDESK_SEALING_KEY: Buffer.alloc(32, 1).toString("base64") };
}

/** Whose processor is measured. */
export interface OwnProcess {
  readonly child: { readonly pid?: number | undefined };
}

/** Writes a configuration whose models are the fake one. Returns its file. */
export function writeModelConfig(folder: string, { port }: Pick<Running, "port">): string {
  const file = join(folder, "config.yaml");
  const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${port}/v1beta` };
  writeFileSync(file, JSON.stringify({ models: { providers: { google } } }));
  return file;
}

/** Starts a script of this folder that prints its port when it listens. */
export async function startScript(name: string, ...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, name), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return running(child, Number(await firstLine(child)));
}

/** How a server of a bench differs from the usual one. */
interface ServerOptions {
  /** Where it writes a processor profile when it ends, which then takes a moment. */
  readonly profileFolder?: string | undefined;
  /** Variables of its environment, besides those of this process. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Another checkout whose server it is. Default: this one's. */
  readonly checkout?: string;
}

const THIS_CHECKOUT = join(import.meta.dirname, "..", "..");

/** Starts the product on a free port; resolves when `/readyz` answers, with the milliseconds that took. */
export async function startFrontdesk(
  dataDir: string,
  configFile: string,
  { profileFolder, variables = {}, checkout = THIS_CHECKOUT }: ServerOptions = {},
): Promise<Running & { readonly startMs: number }> {
  const port = await freePort();
  const main = join(checkout, "server", "src", "cli", "main.ts");
  const started = performance.now();
  const args = [
    ...NODE_FLAGS,
    ...SERVER_FLAGS,
    ...(profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`]),
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
    env: { ...process.env, ...variables, GEMINI_API_KEY: "bench" },
  });
  while (!(await answers(`http://127.0.0.1:${port}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    ...running(child, port, profileFolder === undefined ? "SIGKILL" : "SIGTERM"),
    startMs: performance.now() - started,
  };
}

/** Runs a load to its end. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, "load.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await firstLine(child)) as LoadResult;
}

/** Resident memory of a process, megabytes (Linux). */
export function residentMegabytes({ child }: OwnProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Milliseconds of processor that a process has used so far (Linux, to ten milliseconds). */
export function processorMs({ child }: OwnProcess): number {
  return ticksOf(child.pid).own * MS_A_TICK;
}

/** The same for the processes that it started: guests of user code, connections of a database. Those that ended are counted, too. */
export function childProcessorMs({ child }: OwnProcess): number {
  const ofChildren = (pid: number | undefined): number => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    const running = children.map(Number).reduce((sum, child) => sum + ticksOf(child).own + ofChildren(child), 0);
    return ticksOf(pid).ofEnded + running;
  };
  return ofChildren(child.pid) * MS_A_TICK;
}

/** Linux counts in hundredths of a second here, whatever the kernel does inside. */
const MS_A_TICK = 10;

/** Ticks that a process used, and those of its children that ended. */
function ticksOf(pid: number | undefined): { readonly own: number; readonly ofEnded: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { own: (user ?? 0) + (system ?? 0), ofEnded: (endedUser ?? 0) + (endedSystem ?? 0) };
}

function running(child: ChildProcess, port: number, signal: NodeJS.Signals = "SIGKILL"): Running {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    child,
    port,
    async [Symbol.asyncDispose]() {
      child.kill(signal);
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
