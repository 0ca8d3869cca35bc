import type { SoakSample } from "./soak-samples.ts";

/** Whether something held, and in which words. */
export interface Verdict {
  readonly what: string;
  readonly figure: string;
  readonly holds: boolean;
}

/** Tables whose rows are what the load stores. */
const GROWING = ["conversations", "turns"];
/** Minutes for which rows are kept that are of use for a while: such a table grows until then. */
const KEPT_MINUTES: Readonly<Record<string, number>> = { leases: 10, changes: 60 };
/** Shorter runs say nothing of memory: the engine has not collected its old objects often enough. */
const MEMORY_MINUTES = 10;

/** What an hour of load must leave as it was: memory after the first tenth, tables, and rows that a vacuum has to remove. `turnsPerMinute`: of the load. */
export function verdictsOf(samples: readonly SoakSample[], turnsPerMinute: number): readonly Verdict[] {
  const minutes = samples.at(-1)?.minute ?? 0;
  const warm = samples.filter(({ minute }) => minute >= minutes / 10);
  return [
    memory("memory of the server", warm, minutes, ({ serverMb }) => serverMb),
    memory("memory of its guests", warm, minutes, ({ guestsMb }) => guestsMb),
    tables(samples, minutes),
    vacuum(samples, turnsPerMinute),
  ];
}

/** Growth over the rest of the run, by the line of least squares, may be a twentieth of the mean. */
function memory(
  what: string,
  samples: readonly SoakSample[],
  minutes: number,
  of: (sample: SoakSample) => number,
): Verdict {
  const values = samples.map(of);
  const average = mean(values);
  const perMinute = slope(
    samples.map(({ minute }) => minute),
    values,
  );
  const growth = perMinute * minutes * 0.9;
  const short = minutes < MEMORY_MINUTES ? `; fewer than ${MEMORY_MINUTES} minutes say nothing` : "";
  return {
    what: `${what} after the first tenth`,
    figure: `${average.toFixed(0)} MB, ${signed(60 * perMinute)} MB an hour${short}`,
    holds: minutes < MEMORY_MINUTES || growth <= average / 20,
  };
}

/** The second half may not need a tenth more than the first, from when rows are removed as fast as they come. */
function tables(samples: readonly SoakSample[], minutes: number): Verdict {
  const grown = Object.keys(samples.at(-1)?.tables ?? {}).filter((name) => {
    if (GROWING.includes(name)) return false;
    const from = Math.max(minutes / 10, 1.2 * (KEPT_MINUTES[name] ?? 0));
    const half = from + (minutes - from) / 2;
    const largest = (begin: number, end: number) =>
      Math.max(
        0,
        ...samples.filter(({ minute }) => minute >= begin && minute <= end).map((one) => one.tables[name]?.bytes ?? 0),
      );
    const [before, after] = [largest(from, half), largest(half, minutes)];
    return before > 0 && after > 1.1 * before && after - before > MEGABYTE;
  });
  const waiting = Object.entries(KEPT_MINUTES).filter(([, kept]) => minutes < 2 * kept);
  const short = waiting.map(([name, kept]) => `; ${name} keeps rows ${kept} minutes, which takes ${2 * kept} to see`);
  return {
    what: `tables that grew, besides ${GROWING.join(" and ")}`,
    figure: (grown.join(", ") || "none") + short.join(""),
    holds: grown.every((name) => minutes < 2 * (KEPT_MINUTES[name] ?? 0)),
  };
}

const MEGABYTE = 2 ** 20;

/** Autovacuum comes when a fifth of a table is dead, and looks once a minute: a turn leaves four dead rows at most. */
function vacuum(samples: readonly SoakSample[], turnsPerMinute: number): Verdict {
  const last = Object.entries(samples.at(-1)?.tables ?? {});
  const behind = last.filter(([, { liveRows, deadRows }]) => deadRows > 0.4 * liveRows + 2 * 4 * turnsPerMinute);
  const dead = last.toSorted(([, one], [, other]) => other.deadRows - one.deadRows)[0];
  const came = last.reduce((sum, [, { autovacuums }]) => sum + autovacuums, 0);
  const most = dead ? `most in ${dead[0]}: ${dead[1].deadRows} beside ${dead[1].liveRows} live ones` : "no table";
  return {
    what: "rows that autovacuum has still to remove",
    figure: `${most}; it came ${came} times${behind.length > 0 ? `; behind in ${behind.map(([name]) => name).join(", ")}` : ""}`,
    holds: behind.length === 0,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Of the line of least squares. */
function slope(xs: readonly number[], ys: readonly number[]): number {
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, at) => sum + (x - meanX) * ((ys[at] ?? 0) - meanY), 0);
  const variance = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : ""}${value.toFixed(1)}`;
}
