import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#base";
import { type Warehouse, type WarehouseConfig, writeSampleApart } from "#warehouse";
import type { Config } from "./config.ts";

/** The sample shop as tables: `local.shop.orders` and so on. */
export const SAMPLE_DATASET = ["local", "shop"] as const;

/** The file of the sample shop. */
export interface DataSample {
  /** Where it is, or will be; undefined where no sample is wanted and none was ever written. */
  readonly file: string | undefined;
  /** Writes it if it is not there; the two years of orders end yesterday. Resolves when it is whole. */
  written(): Promise<void>;
  /** What is being written is done, well or not. */
  settled(): Promise<void>;
}

/** Creates the sample of a data folder; nothing is written before somebody asks. */
export function createDataSample({ dataDir, example }: Pick<Config, "dataDir" | "example">, clock: Clock): DataSample {
  const path = join(dataDir, "samples", "shop.duckdb");
  const file = example || existsSync(path) ? path : undefined;
  let writing: Promise<void> | undefined;
  return {
    file,
    written() {
      if (!file || existsSync(file)) return Promise.resolve();
      writing ??= writeSampleApart(file, new Date(clock.now() - DAY_MS)).finally(() => {
        writing = undefined;
      });
      return writing;
    },
    settled: async () => void (await Promise.allSettled([writing])),
  };
}

const DAY_MS = 86_400_000;

/** A warehouse that has the sample too: the first question waits until it is written. */
export function withSample(
  open: (config: WarehouseConfig) => Warehouse,
  config: WarehouseConfig,
  { file, written }: DataSample,
): Warehouse {
  if (!file) return open(config);
  // The operator's own sources go first: who maps local.shop means it.
  const warehouse = open({
    ...config,
    sources: [...config.sources, { name: SAMPLE_DATASET, path: file, schema: "main" }],
  });
  return {
    open: async (references, credentials, viewParameters) => {
      await written();
      return warehouse.open(references, credentials, viewParameters);
    },
    close: () => warehouse.close(),
  };
}
