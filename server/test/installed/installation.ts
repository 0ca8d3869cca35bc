import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CommandRun } from "../command-line.ts";
import { plainUser, type User } from "./user.ts";

const PACK = resolve(import.meta.dirname, "..", "..", "..", "scripts", "pack.mjs");
const MINUTE = 60_000;

/** An empty folder into which the packages were installed, as a user would from the registry. */
export interface Installation extends Disposable {
  readonly folder: string;
  /** Of node_modules, bytes. */
  size(): Promise<number>;
  /** Runs `frontdesk`. */
  frontdesk(args: readonly string[]): Promise<CommandRun>;
  /** Runs a file of this folder with Node. */
  node(args: readonly string[]): Promise<CommandRun>;
  /** Starts the server on a free port, as `frontdesk start` does. */
  start(): Promise<InstalledServer>;
}

export interface InstalledServer {
  /** `http://127.0.0.1:1234` */
  readonly address: string;
  /** Ends it as Ctrl-C does; its exit code, -1 of one that dies of the signal, as npm does. */
  stop(): Promise<number>;
}

/** Packs this checkout; the tarballs by their place. */
export async function packPackages(folder: string): Promise<readonly string[]> {
  const { code, stderr } = await run(process.execPath, [PACK, folder], { user: { env: process.env }, cwd: folder });
  if (code !== 0) throw new Error(stderr);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name));
}

/** How packages are installed. */
interface InstallOptions {
  /** More flags of npm. */
  readonly flags?: readonly string[];
  /** The version of Node that installs and runs them. Default: the one of the tests. */
  readonly node?: string;
}

/** Installs tarballs into a new folder of this name, with a cache of its own and no script run. */
export async function installPackages(
  name: string,
  tarballs: readonly string[],
  { flags: more = [], node: version }: InstallOptions = {},
): Promise<Installation> {
  const place = newPlace();
  const node = version === undefined ? process.execPath : await installNode(version, join(place, "node"));
  const user = plainUser(place, node);
  const folder = await makeFolder(place, name, user);
  // What is installed is the user's own, tarballs included: a checkout may be closed to others.
  mkdirSync(join(place, "tarballs"));
  const copies = tarballs.map((file) => {
    const copy = join(place, "tarballs", file.split("/").at(-1) ?? "");
    cpSync(file, copy);
    return copy;
  });
  await succeed(await run("npm", ["install", ...QUIETLY, ...more, ...copies], { user, cwd: folder }));
  return installation(place, folder, { user, node });
}

/** An empty folder of a user with an empty cache, who runs packages of this scope from a registry of their own by `npx`. */
interface EmptyFolder extends Disposable {
  /** Starts the server on a free port, as `npx <name> start` does. */
  npx(name: string): Promise<InstalledServer>;
}

/** Makes one. `registry`: its address. */
export async function emptyFolder({ scope, registry }: { scope: string; registry: string }): Promise<EmptyFolder> {
  const place = newPlace();
  const user = plainUser(place, process.execPath);
  const cwd = await makeFolder(place, "empty", user);
  const env = { ...user.env, [`npm_config_${scope}:registry`]: registry, no_proxy: "127.0.0.1" };
  return {
    npx: (name) => startInstalled("npx", ["--yes", "--loglevel=error", name], { user: { ...user, env }, cwd }),
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** A temporary folder that every user may read. */
function newPlace(): string {
  const place = mkdtempSync(join(tmpdir(), "frontdesk-installed-"));
  chmodSync(place, 0o755);
  return place;
}

/** Makes a folder that belongs to the user. */
async function makeFolder(place: string, name: string, user: User): Promise<string> {
  const folder = join(place, name);
  const program = `require("node:fs").mkdirSync(${JSON.stringify(folder)})`;
  await succeed(await run(process.execPath, ["-e", program], { user, cwd: place }));
  return folder;
}

const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** Another version of Node, as the packages on the registry bring it; its executable. */
async function installNode(version: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const given = { user: { env: process.env }, cwd: folder };
  await succeed(await run("npm", ["install", "--prefix", folder, ...QUIETLY, `${name}@${version}`], given));
  return join(folder, "node_modules", name, "bin", "node");
}

interface Runtime {
  readonly user: User;
  /** The executable of Node. */
  readonly node: string;
}

function installation(place: string, folder: string, { user, node }: Runtime): Installation {
  const command = join(folder, "node_modules", ".bin", "frontdesk");
  const given = { user, cwd: folder };
  return {
    folder,
    frontdesk: (args) => run(command, args, given),
    node: (args) => run(node, args, given),
    size: async () => 1024 * Number.parseInt((await run("du", ["-sk", "node_modules"], given)).stdout, 10),
    start: () => startInstalled(command, [], given),
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

interface Place {
  readonly user: User;
  readonly cwd: string;
}

function run(command: string, args: readonly string[], { user, cwd }: Place): Promise<CommandRun> {
  const options = { ...user, cwd, timeout: 5 * MINUTE, maxBuffer: 1 << 26 };
  return new Promise((settle) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      settle({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr: stderr || (error?.message ?? "") }),
    );
  });
}

function succeed({ code, stdout, stderr }: CommandRun): void {
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}${stderr}`);
}

function startInstalled(command: string, args: readonly string[], { user, cwd }: Place): Promise<InstalledServer> {
  // A group of its own: Ctrl-C reaches all processes of a terminal.
  const options = { ...user, cwd, detached: true };
  const child = spawn(command, [...args, "start", "--port", "0"], { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<number>((settle) => child.once("exit", (code) => settle(code ?? -1)));
  return new Promise((settle, reject) => {
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const address = /up at (http:[^\s"]+)/.exec(text)?.[1];
      if (address) settle({ address, stop: () => stop(child, ended) });
    });
    child.once("exit", () => reject(new Error(`the server did not start: ${text}`)));
    child.once("error", reject);
  });
}

/** Waits for all processes: npm does not wait for the one that it runs. */
async function stop({ pid = 0 }: ChildProcess, ended: Promise<number>): Promise<number> {
  process.kill(-pid, "SIGINT");
  const code = await ended;
  while (hasProcesses(pid)) await pause(20);
  return code;
}

function hasProcesses(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
