#!/usr/bin/env node
// The `frontdesk` command: in a checkout it runs the launcher, in the published package dist/. Plain JavaScript that old versions of Node
// can read, so that they can say what they lack.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { NODE_FLAGS, SERVER_FLAGS } from "./node-flags.mjs";
import { endBy, SERVING, SUPERVISED, supervise } from "./supervise.mjs";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAM = join(PACKAGE, "dist", "cli", "main.js");
const LAUNCHER = join(PACKAGE, "..", "scripts", "launch.mjs");

/** The first version of Node with what the package needs: its HTTP client. */
const OLDEST = [22, 19];

if (existsSync(PROGRAM)) runPackage();
else run([LAUNCHER, "frontdesk"], process.env);

function runPackage() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
    // Its Node has flags that only a new process can be given. All other commands run in this one.
    if (SERVING.has(process.argv[2]))
      run([...NODE_FLAGS, ...SERVER_FLAGS, PROGRAM], { NODE_COMPILE_CACHE: compileCache(), ...process.env });
    else runHere();
    return;
  }
  const needed = OLDEST.join(".");
  process.stderr.write(
    `frontdesk: needs Node ${needed} or newer, and this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exitCode = 1;
}

function runHere() {
  if (!process.env.NODE_COMPILE_CACHE) nodeModule.enableCompileCache(compileCache());
  // As the flag does that a process of its own gets.
  const print = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") for (const listener of print) listener(warning);
  });
  void import(pathToFileURL(PROGRAM).href);
}

/** Compiled code is kept where only this user writes: what lies there is run. Node makes the folder, or does without. */
function compileCache() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "frontdesk", "compiled");
}

function run(program, env) {
  const stdio = SERVING.has(process.argv[2]) ? SUPERVISED : "inherit";
  const child = spawn(process.execPath, [...program, ...process.argv.slice(2)], { stdio, env });
  supervise(child);
  child.on("exit", (code, signal) => {
    if (signal) endBy(signal);
    else process.exitCode = code;
  });
}
