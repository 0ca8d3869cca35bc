import type { TurnMetrics } from "./conversation-metrics.ts";
import { quantile } from "./quantile.ts";

/** What happened in one step of time. Times in milliseconds. */
export interface Step {
  /** Where it begins, since the epoch. */
  readonly at: number;
  readonly turns: number;
  /** Of the turns' durations; null where there was no turn, which a plot leaves out. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly toolFailures: number;
  readonly escalations: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Steps of equal length, none left out. */
interface TimeSeries {
  readonly stepMs: number;
  readonly steps: readonly Step[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LENGTHS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 28 * 24 * HOUR];

/** As many steps as a plot of a hand's width can show apart. */
const MOST_STEPS = 60;

/** A single step would say nothing of time: what is shorter gets empty steps before it. */
const LEAST_STEPS = 12;

/** Cuts turns into steps that a person reads: minutes, hours, days, as few as show the whole span. */
export function timeSeries(turns: readonly TurnMetrics[]): TimeSeries {
  const dated = turns.filter(({ at }) => at > 0);
  if (dated.length === 0) return { stepMs: MINUTE, steps: [] };
  const times = dated.map(({ at }) => at);
  const [first, last] = [least(times), most(times)];
  const stepMs = LENGTHS.find((length) => (last - first) / length < MOST_STEPS - 1) ?? LENGTHS.at(-1) ?? HOUR;
  const byStep = Map.groupBy(dated, ({ at }) => Math.floor(at / stepMs));
  const end = Math.floor(last / stepMs);
  const count = Math.min(Math.max(end - Math.floor(first / stepMs) + 1, LEAST_STEPS), MOST_STEPS * 10);
  const from = end - count + 1;
  return {
    stepMs,
    steps: Array.from({ length: count }, (_, at) => stepOf((from + at) * stepMs, byStep.get(from + at))),
  };
}

function stepOf(at: number, turns: readonly TurnMetrics[] = []): Step {
  const durations = turns.map(({ took }) => took);
  const spans = turns.flatMap((turn) => turn.spans);
  return {
    at,
    turns: turns.length,
    p50: quantile(durations, 0.5) ?? null,
    p95: quantile(durations, 0.95) ?? null,
    toolFailures: spans.filter(({ kind, error }) => kind === "tool" && error !== "").length,
    escalations: turns.filter(({ escalated }) => escalated).length,
    inputTokens: spans.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: spans.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

/** Not by spreading arguments: of some hundred thousand values there are too many. */
function least(values: readonly number[]): number {
  return values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((found, value) => Math.max(found, value), Number.NEGATIVE_INFINITY);
}
