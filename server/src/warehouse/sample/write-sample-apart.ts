import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("./sample-process.ts", import.meta.url));
const run = promisify(execFile);

/** Writes the sample as `writeSample` does, in a process of its own: the engine's memory goes with it. */
export async function writeSampleApart(file: string, lastDay: Date): Promise<void> {
  if (existsSync(file)) return;
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM, file, lastDay.toISOString()];
  // It needs nothing of the environment, and the environment holds keys.
  await run(process.execPath, args, { env: {} });
}
