// The entry point of `npm start`, `npm test` and the other scripts. Plain JavaScript for Node 18 and up: it installs the dependencies,
// generates code and builds the console when they are missing or stale, and runs the program with Node 24. A server need not wait for the console.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { NODE_FLAGS, SERVER_FLAGS } from "../server/bin/node-flags.mjs";
import { endBy, SERVING, SUPERVISED, supervise } from "../server/bin/supervise.mjs";
import { buildConsoleMeanwhile, ensureConsole } from "./launch/console.mjs";
import { ensureDependencies } from "./launch/dependencies.mjs";
import { findNode } from "./launch/node.mjs";
import { fail, ROOT, stopping } from "./launch/progress.mjs";
import { testFiles } from "./launch/test-files.mjs";

const [command = "start", ...given] = process.argv.slice(2);
/** npm takes out the `--` ahead of a script's own arguments; whoever calls this file itself writes it, too. */
const args = given[0] === "--" ? given.slice(1) : given;
const SERVER = join(ROOT, "server", "src", "cli", "main.ts");
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const MODULES = join(ROOT, "node_modules");

/** One more than there are processors: while a file waits for a page or a timer, another one runs. The runner's default is one less. */
const TEST_FILES_AT_ONCE = `--test-concurrency=${cpus().length + 1}`;

/** What each command needs, and what it then runs with Node 24. `lean`: it needs no packages for development. */
const COMMANDS = {
  start: { lean: true, console: true, run: () => [...SERVER_FLAGS, SERVER, "start", ...args] },
  frontdesk: { lean: true, run: () => [...SERVER_FLAGS, SERVER, ...args] },
  dev: { console: true, run: () => [...SERVER_FLAGS, "--watch", SERVER, "start", ...args] },
  generate: { run: () => [join(ROOT, "scripts", "generate.mjs"), "--force"] },
  test: { console: true, run: (node) => runTests(node, "usual") },
  "test:slow": { console: true, run: (node) => runTests(node, "slow") },
  "test:long": {
    console: true,
    run: (node) => runTests(node, "long", ["--test-concurrency=1", "--test-timeout=900000"]),
  },
  "test:packages": {
    console: true,
    run: () => [
      "--test",
      "--test-timeout=900000",
      join(ROOT, "server", "test", "installed", "packages-full.ts"),
      ...args,
    ],
  },
  bench: { run: () => [join(ROOT, "server", "bench", "main.ts"), ...args] },
  soak: { run: () => [join(ROOT, "server", "bench", "soak.ts"), ...args] },
  chaos: { run: () => [join(ROOT, "server", "test", "replicas", "chaos", "main.ts"), ...args] },
  "event-loop": {
    run: () => [
      "--test",
      "--test-timeout=1800000",
      join(ROOT, "server", "test", "flows", "event-loop-full.ts"),
      ...args,
    ],
  },
  drift: { run: () => [join(ROOT, "server", "drift", "main.ts"), ...args] },
  pack: { console: true, run: () => [join(ROOT, "scripts", "pack.mjs"), ...args] },
  "docs:build": { run: () => [join(ROOT, "scripts", "docs.mjs"), ...args] },
  "docs:screenshots": {
    console: true,
    run: () => [join(ROOT, "server", "test", "docs", "make-screenshots.ts")],
  },
  release: { run: () => [join(ROOT, "scripts", "release.mjs"), ...args] },
  check: { run: () => [join(ROOT, "scripts", "check.mjs"), ...args] },
};

for (const signal of SIGNALS) process.on(signal, () => stopping.abort());
try {
  const {
    lean,
    console: needsConsole,
    run,
  } = COMMANDS[command] ??
  fail(`'${command}' is not a command of this project; use one of ${Object.keys(COMMANDS).join(", ")}.`);
  await ensureDependencies({ lean });
  const node = findNode();
  if (needsConsole && !lean) await ensureConsole(node);
  const program = await run(node);
  stopping.signal.throwIfAborted();
  const { warm, ended } = runProgram(node, program);
  const building = needsConsole && lean ? buildConsoleMeanwhile(node, warm) : undefined;
  const signal = await ended;
  stopping.abort();
  await building;
  if (signal) endBy(signal);
} catch (error) {
  process.stderr.write(`frontdesk: ${stopping.signal.aborted ? "stopped" : error.message}\n`);
  process.exitCode = 1;
}

/** The arguments for the tests of a set. What they start as a process they find in a variable. */
async function runTests(node, set, flags = [TEST_FILES_AT_ONCE, "--test-timeout=300000"]) {
  const { files, program } = await testFiles(node, args, set);
  if (program) process.env.FRONTDESK_TEST_PROGRAM = program;
  return ["--test", ...flags, ...files];
}

/**
 * Runs the program with the terminal, the signals and the exit code of this process. `warm` resolves when a server says that it is ready and
 * that its Python runs, or when the program ends.
 */
function runProgram(node, programArgs) {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(MODULES, ".cache", "frontdesk-compile"),
  };
  const program = programArgs.find((arg) => !arg.startsWith("-"));
  if (!existsSync(program)) fail(`${program} is missing from this checkout.`);
  const child = spawn(node, [...NODE_FLAGS, ...programArgs], {
    stdio: SERVING.has(command === "frontdesk" ? args[0] : command) ? SUPERVISED : "inherit",
    env,
    cwd: command === "start" || command === "frontdesk" ? (process.env.INIT_CWD ?? process.cwd()) : ROOT,
  });
  supervise(child);
  const ended = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`could not start ${node}: ${error.message}`)));
    child.on("exit", (code, signal) => {
      process.exitCode = signal ? 1 : code;
      resolve(signal);
    });
  });
  const warm = new Promise((resolve) => child.on("message", (message) => message === "warm" && resolve()));
  return { warm: Promise.race([warm, ended.catch(() => {})]), ended };
}
