import { copyFileSync, mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeSampleInChildProcess } from "#warehouse";
import { TEST_CACHE } from "./engine/index.ts";

const FOLDER = join(TEST_CACHE, "samples");
const DAY_MS = 86_400_000;

/** The sample of each day that this process asked for. */
const samples = new Map<string, Promise<string>>();

/**
 * Puts the sample shop that a server's first start today would write into its data folder. It is written once a day and checkout,
 * because writing it costs more than the rest of a server's start.
 */
export async function placeSample(dataDir: string): Promise<void> {
  const lastDay = daysAgo(1);
  const written = samples.get(lastDay) ?? writeSampleOf(lastDay);
  samples.set(lastDay, written);
  const target = join(dataDir, "samples");
  mkdirSync(target, { recursive: true });
  copyFileSync(await written, join(target, "shop.duckdb"));
}

async function writeSampleOf(lastDay: string): Promise<string> {
  const fileOf = (day: string) => `shop-${day}.duckdb`;
  const file = join(FOLDER, fileOf(lastDay));
  await writeSampleInChildProcess(file, new Date(lastDay));
  // One that is a day old may still be in use around midnight.
  const isOld = (name: string) => name < fileOf(daysAgo(2));
  for (const name of (await readdir(FOLDER)).filter(isOld)) await rm(join(FOLDER, name), { force: true });
  return file;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
