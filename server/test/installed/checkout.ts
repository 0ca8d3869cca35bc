import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packGenerator } from "./locked-tarballs.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const { CONSOLE_SOURCES } = await import(join(ROOT, "scripts", "launch", "console-sources.mjs"));

/** What the launcher reads of a checkout: these as they are. */
const LINKED: readonly string[] = [
  ...["package.json", "package-lock.json"],
  ...["overlay", "frontdesk"].map((name) => `protos/${name}`),
  ...["python/package.json", "client/package.json", "docs/site/package.json"],
  ...["server/package.json", "server/bin"],
  ...CONSOLE_SOURCES,
];

/** For a line of the launcher, in milliseconds: a start takes a few seconds here. */
const LINE_TIMEOUT = 60_000;

/** In place of the server: it writes a line, and ends at a signal. */
const SERVER = `process.on("SIGTERM", () => process.exit(0));
process.stdout.write("server is up\\n");
process.send?.("warm");
setInterval(() => {}, 1_000);
`;

/**
 * In place of npm: it writes down what it is asked, records the packages as installed that the workspaces need, and brings a Vite that
 * writes a page. What generates code it links, or gives as tarballs. The files `npm-fails` and `vite-fails` beside it have them fail, and Vite
 * waits while there is `vite-waits`.
 */
const NPM = `#!${process.execPath}
const { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const note = (event) => appendFileSync(join(__dirname, "calls"), JSON.stringify({ event, folder: process.cwd(), args: process.argv.slice(2) }) + "\\n");
note("begin");
setTimeout(async () => {
  if (existsSync(join(__dirname, "npm-fails"))) {
    console.error("npm error: no such host");
    process.exit(1);
  }
  if (process.argv[2] === "pack") {
    cpSync(join(__dirname, "tarballs"), ".", { recursive: true });
    note("end");
    return;
  }
  const { neededPackages } = await import(${JSON.stringify(join(ROOT, "scripts", "launch", "needed-packages.mjs"))});
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const workspaces = process.argv.filter((arg) => arg.startsWith("--workspace=")).map((arg) => arg.slice(12));
  const vite = join("node_modules", "vite", "bin");
  mkdirSync(vite, { recursive: true });
  writeFileSync(join(vite, "vite.js"), ${JSON.stringify(`
const { existsSync, mkdirSync, writeFileSync } = require("node:fs");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
if (existsSync(process.env.PLACE + "/vite-fails")) { console.error("no such module"); process.exit(1); }
mkdirSync(out, { recursive: true });
const finish = () => existsSync(process.env.PLACE + "/vite-waits") ? setTimeout(finish, 50) : writeFileSync(out + "/index.html", "<console>");
finish();
`)});
  const needed = neededPackages(packages, workspaces).map((path) => [path, packages[path]]);
  if (workspaces.includes("scripts")) link(needed);
  writeFileSync(join("node_modules", ".package-lock.json"), JSON.stringify({ packages: Object.fromEntries(needed) }));
  note("end");
}, 300);
function link(packages) {
  for (const [path] of packages) {
    const from = join(${JSON.stringify(ROOT)}, path);
    if (!existsSync(from) || existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(from, path);
  }
}
`;

/** A call of npm. */
interface Call {
  readonly event: "begin" | "end";
  /** Where, from the checkout. */
  readonly folder: string;
  readonly args: readonly string[];
}

/** A launcher that runs. */
export interface Launch {
  /** Resolves when it has printed this. */
  printed(text: string): Promise<void>;
  /** What it has printed. */
  text(): string;
  /** Ends it; its exit code. */
  stop(): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/** A checkout in a temporary folder in which nothing is installed. No package is downloaded. */
export class Checkout {
  readonly #place = realpathSync(mkdtempSync(join(tmpdir(), "frontdesk-checkout-")));
  readonly folder = join(this.#place, "clone");
  readonly #launches = new Set<ChildProcess>();

  /** `generated`: with generated code. */
  constructor({ generated = true } = {}) {
    cpSync(join(ROOT, "scripts"), join(this.folder, "scripts"), { recursive: true });
    for (const name of LINKED) this.#link(name);
    if (generated) this.#link("protos/gen");
    else {
      const lock = join(this.folder, "package-lock.json");
      writeFileSync(lock, packGenerator(join(this.#place, "bin", "tarballs"), lock));
    }
    this.write("clone/server/src/cli/main.ts", SERVER);
    this.write("bin/npm", NPM, 0o755);
  }

  /** Writes a file beside the checkout. */
  write(name: string, text: string, mode = 0o644): void {
    const path = join(this.#place, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  remove(name: string): void {
    rmSync(join(this.#place, name));
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** What npm was asked until now. */
  calls(): readonly Call[] {
    const file = join(this.#place, "bin", "calls");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines.map((line) => {
      const call = JSON.parse(line) as Call;
      return { ...call, folder: call.folder.slice(this.folder.length + 1) };
    });
  }

  /** Runs `npm start` of the checkout. */
  start(): Launch {
    const env = {
      PATH: `${join(this.#place, "bin")}:${process.env.PATH}`,
      PLACE: join(this.#place, "bin"),
    };
    const child = spawn(process.execPath, ["scripts/launch.mjs", "start"], { cwd: this.folder, env, detached: true });
    this.#launches.add(child);
    const exited = once(child, "exit").then(([code]) => code as number | null);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        text += data;
      });
    const printed = async (wanted: string) => {
      const signal = AbortSignal.timeout(LINE_TIMEOUT);
      while (!text.includes(wanted)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended without '${wanted}': ${text}`);
        const lines = [child.stdout, child.stderr].map((stream) => once(stream, "data", { signal }));
        await Promise.race([...lines, exited]).catch((cause) => {
          throw new Error(`it did not print '${wanted}': ${text}`, { cause });
        });
      }
    };
    const stop = () => {
      child.kill("SIGTERM");
      return exited;
    };
    return { printed, text: () => text, stop, exited };
  }

  [Symbol.dispose](): void {
    for (const { pid, exitCode, signalCode } of this.#launches)
      if (pid && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL"); // with its server
    rmSync(this.#place, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Folders as links. */
  #link(name: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    if (statSync(join(ROOT, name)).isFile()) cpSync(join(ROOT, name), join(this.folder, name));
    else symlinkSync(join(ROOT, name), join(this.folder, name));
  }
}
