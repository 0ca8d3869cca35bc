import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "#base";

/** One call of a function on the CPython of this machine. */
interface NativeCall {
  readonly code: string;
  readonly function: string;
  readonly args: JsonObject;
  readonly variables: JsonObject;
}

/** Runs the calls, each in a module of its own. Returns the result and the variables of each. */
export function runNative(
  python: string,
  calls: readonly NativeCall[],
): { result: JsonValue; variables: JsonObject }[] {
  const script = join(import.meta.dirname, "run_native.py");
  const env = { ...process.env, TZ: "UTC" };
  return JSON.parse(String(execFileSync(python, [script], { input: JSON.stringify(calls), env })));
}

/** A CPython 3.12 or newer, or undefined: under its own name, as `python3`, or where pyenv keeps its versions. */
export function findNativePython(): string | undefined {
  const pyenv = join(homedir(), ".pyenv/versions");
  const installed = listed(pyenv).map((version) => join(pyenv, version, "bin/python3"));
  return ["python3.12", "python3", ...installed].find((command) => {
    try {
      const check = "import sys, zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin'); print(sys.version_info[:2] == (3, 12))";
      return String(execFileSync(command, ["-c", check], { stdio: ["ignore", "pipe", "ignore"] })).trim() === "True";
    } catch {
      return false; // not there, or without time zones: no witness
    }
  });
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // pyenv is not used here
  }
}
