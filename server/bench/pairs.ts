// What a load costs the processes that it runs through, and two costs compared: measured in turn, because the speed of a machine changes within seconds.
import type { LoadOrder, LoadResult } from "./load.ts";
import { childProcessorMs, type OwnProcess, processorMs, type Running, runLoad } from "./processes.ts";

/** What a load came to, with what it used. */
export interface Measured extends LoadResult {
  /** Calls that the fake model counted for one turn: the same on both sides of a comparison, or the ratio means nothing. */
  readonly modelCallsPerTurn: number;
  /** Milliseconds of processor that the servers themselves used for one turn. A busy machine changes it little. */
  readonly processorMs: number;
  /** The same of the guests that run user code. */
  readonly guestMs: number;
  /** Milliseconds of processor that the database used for one turn; 0 where it is part of the server. */
  readonly databaseMs: number;
}

/** What the servers that are measured need. */
export interface Beside {
  readonly model: Running;
  /** The database, where it is a process of its own. */
  readonly database: OwnProcess | undefined;
}

/** Runs a load against a server. */
export function measure(beside: Beside, server: Running, order: LoadOrder): Promise<Measured> {
  return measureTogether(beside, [server], [order]);
}

/** Runs loads at the same time against servers: turns a second of all together, the time of a turn on average, and the worst of 99 %. */
export async function measureTogether(
  { model, database }: Beside,
  servers: readonly Running[],
  orders: readonly LoadOrder[],
): Promise<Measured> {
  const used = () => ({
    processor: sumOf(servers, processorMs),
    guests: sumOf(servers, childProcessorMs),
    database: database ? processorMs(database) + childProcessorMs(database) : 0,
  });
  const [calls, before] = [await modelCalls(model), used()];
  const results = await Promise.all(orders.map(runLoad));
  const after = used();
  const allTurns = sumOf(results, (result) => result.allTurns);
  const turns = sumOf(results, (result) => result.turns);
  const average = (of: (result: LoadResult) => number) => sumOf(results, (one) => of(one) * one.turns) / turns;
  return {
    ...{ turns, allTurns },
    failures: sumOf(results, ({ failures }) => failures),
    refused: sumOf(results, ({ refused }) => refused),
    perSecond: sumOf(results, ({ perSecond }) => perSecond),
    p50: average(({ p50 }) => p50),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    firstByteP50: average(({ firstByteP50 }) => firstByteP50),
    modelCallsPerTurn: ((await modelCalls(model)) - calls) / allTurns,
    processorMs: (after.processor - before.processor) / allTurns,
    guestMs: (after.guests - before.guests) / allTurns,
    databaseMs: (after.database - before.database) / allTurns,
  };
}

/** One measurement of each side. */
export interface Pair {
  readonly least: Measured;
  readonly measured: Measured;
}

/** Pairs of a comparison, unless it says otherwise; the one in the middle counts. */
const PAIRS = 3;

/** What a comparison came to: the pair with the median ratio of turns a second, and the ratios of all pairs in percent. */
export interface Comparison extends Pair {
  /** Of turns a second. */
  readonly shares: string;
  /** Of the servers' processor time for a turn. */
  readonly processorShares: string;
}

/** Measures both sides in turn. */
export async function measurePairs(
  least: () => Promise<Measured>,
  measured: () => Promise<Measured>,
  count = PAIRS,
): Promise<Comparison> {
  const pairs: Pair[] = [];
  while (pairs.length < count) pairs.push({ least: await least(), measured: await measured() });
  const sorted = pairs.toSorted((one, other) => shareOf(one) - shareOf(other));
  const median = sorted[sorted.length >> 1];
  if (!median) throw new Error("nothing was measured");
  return { ...median, shares: percentages(pairs, shareOf), processorShares: percentages(pairs, processorShareOf) };
}

function percentages(pairs: readonly Pair[], of: (pair: Pair) => number): string {
  const sorted = pairs.map(of).toSorted((one, other) => one - other);
  return sorted.map((share) => (100 * share).toFixed(0)).join(", ");
}

function shareOf({ least, measured }: Pair): number {
  return measured.perSecond / least.perSecond;
}

function processorShareOf({ least, measured }: Pair): number {
  return measured.processorMs / least.processorMs;
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

async function modelCalls({ port }: Running): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/calls`)).text());
}
