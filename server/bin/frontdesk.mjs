#!/usr/bin/env node
// The `frontdesk` command: in a checkout it runs the launcher, in the published package dist/.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_FLAGS, SERVER_FLAGS } from "./node-flags.mjs";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const launcher = join(PACKAGE, "..", "scripts", "launch.mjs");
const args = existsSync(launcher)
  ? [launcher, "frontdesk"]
  : [...NODE_FLAGS, ...SERVER_FLAGS, join(PACKAGE, "dist", "cli", "main.js")];
const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 1 : code;
});
