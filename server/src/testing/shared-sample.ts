import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { cachedSamples } from "#app";
import { writeSampleInChildProcess } from "#warehouse";
import { TEST_CACHE } from "./engine/index.ts";

const DAY_MS = 86_400_000;

/** The sample of each day that this process asked for. */
const samples = new Map<string, Promise<string>>();

/**
 * Puts the sample shop that a server's first start today would write into its data folder, unless it has one. It is written once a
 * day and checkout, because writing it costs more than the rest of a server's start.
 */
export async function placeSample(dataDir: string): Promise<void> {
  const target = join(dataDir, "samples", "shop.duckdb");
  if (existsSync(target)) return;
  const lastDay = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const written = samples.get(lastDay) ?? writeSampleOf(lastDay);
  samples.set(lastDay, written);
  mkdirSync(join(dataDir, "samples"), { recursive: true });
  copyFileSync(await written, target);
}

async function writeSampleOf(lastDay: string): Promise<string> {
  const file = join(await cachedSamples(TEST_CACHE, Date.now()), "shop.duckdb");
  await writeSampleInChildProcess(file, new Date(lastDay));
  return file;
}
