import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { SAMPLE_SHOP } from "./sample-shop.ts";

/** Days of orders in the sample: two years. */
const DAYS = 730;

/**
 * Writes the sample shop into a DuckDB file, its orders ending on `lastDay`, unless the file is there. The file appears whole
 * or not at all.
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

async function fill(file: string, start: string): Promise<void> {
  // Loaded here, because the door of this room is opened by servers that ask nothing of data.
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
