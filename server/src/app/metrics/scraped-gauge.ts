import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";

interface ScrapedGauge {
  readonly name: string;
  readonly help: string;
  /** Reads the value of now; NaN where there is none. */
  readonly read: () => Promise<number>;
  /** The value when it cannot be read in time. Default: the gauge has no sample then. */
  readonly whenUnknown?: number;
}

/** What Prometheus waits for the whole page is ten seconds by default, and less where somebody set it. */
const LONGEST_READ_MS = 1_000;

/**
 * A gauge whose value is read at each scrape. A value that cannot be read, or not within a second, keeps no other metric from being served. A read that is still
 * running at the next scrape is waited for again, so that a store that hangs has one read to answer and not one for each scrape.
 */
export function scrapedGauge(registers: Registry[], { name, help, read, whenUnknown }: ScrapedGauge): void {
  let running: Promise<number | undefined> | undefined;
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      running ??= read()
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
      const value = (await withinTime(running)) ?? whenUnknown;
      if (value === undefined || Number.isNaN(value)) this.remove();
      else this.set(value);
    },
  });
}

async function withinTime(value: Promise<number | undefined>): Promise<number | undefined> {
  const read = new AbortController();
  try {
    return await Promise.race([value, delay(LONGEST_READ_MS, undefined, { signal: read.signal })]);
  } finally {
    read.abort();
  }
}
