import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, extname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { requirePackage } from "#status";
import { SAMPLE_SHOP } from "./sample-shop.ts";

/** Days of orders in the sample: two years. */
const DAYS = 730;

/**
 * Writes the sample shop into a DuckDB file, its orders ending on `lastDay`, unless the file exists. The file is complete as
 * soon as it exists.
 */
export async function writeSample(file: string, lastDay: Date): Promise<void> {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  try {
    await fill(draft, isoDay(new Date(lastDay.getTime() - (DAYS - 1) * 86_400_000)));
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
    rmSync(`${draft}.wal`, { force: true });
  }
}

const PROGRAM = fileURLToPath(new URL(`./sample-process${extname(import.meta.filename)}`, import.meta.url));

/**
 * Writes the sample as `writeSample` does, in a child process, so that the memory of DuckDB is freed when it ends. It has a process group of its own: Ctrl-C in a
 * terminal goes to the server alone, which waits for the file.
 */
export async function writeSampleInChildProcess(file: string, lastDay: Date): Promise<void> {
  if (existsSync(file)) return;
  requirePackage("@duckdb/node-api", "Questions to files and to the sample shop");
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM, file, lastDay.toISOString()];
  // The child process needs no environment variable, and some are keys.
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    windowsHide: true,
  });
  const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`the process that writes ${file} ended with ${signal ?? code}: ${said}`);
}

async function fill(file: string, start: string): Promise<void> {
  // Loaded on demand, because servers without data sources import this module too.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(file);
  try {
    const connection = await instance.connect();
    for (const statement of SAMPLE_SHOP) await connection.run(statement.replaceAll("$start", start));
    await connection.run("CHECKPOINT");
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
