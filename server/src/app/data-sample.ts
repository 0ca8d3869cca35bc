import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#base";
import { type Uploads, type Warehouse, type WarehouseConfig, writeSampleInChildProcess } from "#warehouse";
import type { Config } from "./config.ts";

/** Project and dataset of the sample shop: `local.shop.orders` and so on. */
const SAMPLE_DATASET = ["local", "shop"] as const;

/** The file of the sample shop. */
export interface DataSample {
  /** Its path, whether it has been written or not; undefined when the example is off and no sample exists. */
  readonly file: string | undefined;
  /** Writes it if it does not exist; its two years of orders end yesterday. Resolves when it is complete. */
  written(): Promise<void>;
  /** Resolves when no write is running, whether the last one succeeded or not. */
  settled(): Promise<void>;
}

/** Creates the sample of a data folder; it is written on first use. */
export function createDataSample({ dataDir, example }: Pick<Config, "dataDir" | "example">, clock: Clock): DataSample {
  const path = join(dataDir, "samples", "shop.duckdb");
  const file = example || existsSync(path) ? path : undefined;
  let writing: Promise<void> | undefined;
  return {
    file,
    written() {
      if (!file || existsSync(file)) return Promise.resolve();
      writing ??= writeSampleInChildProcess(file, new Date(clock.now() - DAY_MS)).finally(() => {
        writing = undefined;
      });
      return writing;
    },
    settled: async () => void (await Promise.allSettled([writing])),
  };
}

const DAY_MS = 86_400_000;

/**
 * A folder of the cache for the sample that is written now, where servers that keep no data find it again all day. Those of earlier
 * days are removed, but for the last one: around midnight it may still be in use.
 */
export async function cachedSamples(cacheDir: string, now: number): Promise<string> {
  const samples = join(cacheDir, "samples");
  const dayBefore = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);
  const folder = join(samples, dayBefore(1));
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(samples))
    if (name < dayBefore(2)) await rm(join(samples, name), { recursive: true, force: true });
  return folder;
}

/** A warehouse with the sample: the first question waits until it is written. */
export function withSample(
  open: (config: WarehouseConfig) => Warehouse,
  config: WarehouseConfig,
  { file, written }: DataSample,
): Warehouse {
  if (!file) return open(config);
  // The operator's sources come first, so that they may replace local.shop.
  const warehouse = open({
    ...config,
    sources: [...config.sources, { name: SAMPLE_DATASET, path: file, schema: "main" }],
  });
  return {
    open: async (references, credentials, viewParameters) => {
      await written();
      return warehouse.open(references, credentials, viewParameters);
    },
    tables: async (anyProject) => {
      await written();
      return warehouse.tables(anyProject);
    },
    databaseOf: (path) => warehouse.databaseOf(path),
    ...(warehouse.uploads && { uploads: uploadsWithSample(warehouse.uploads, written) }),
    ...(warehouse.connections && { connections: warehouse.connections }),
    close: () => warehouse.close(),
  };
}

/** The engine that reads a file opens all of its sources at once, so the sample has to be there. */
function uploadsWithSample(uploads: Uploads, written: DataSample["written"]): Uploads {
  return {
    ...uploads,
    async tables(project, dataset) {
      await written();
      return uploads.tables(project, dataset);
    },
    async remove(dataset) {
      await written();
      return uploads.remove(dataset);
    },
  };
}
