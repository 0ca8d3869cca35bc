import type { Verdict } from "../verdict.ts";
import { passRate } from "./pass-rate.ts";

/** The attempts of the same case against two versions. */
interface PairedCase {
  readonly before: readonly Verdict[];
  readonly after: readonly Verdict[];
}

/**
 * Two versions of an app, compared case by case (EVAL-22): attempts of one case are not independent of each other, so a case counts once,
 * however often it ran. Cases that were not measured in both are left out and counted.
 */
export interface VersionComparison {
  /** Cases that were measured in both. */
  readonly n: number;
  readonly notMeasured: number;
  /** Cases that passed a greater share of their attempts before. */
  readonly worse: number;
  /** Cases that pass a greater share of their attempts now. */
  readonly better: number;
  /** Mean change of the cases' pass rates, -1 to 1. Undefined when no case was measured in both. */
  readonly change: number | undefined;
  /** Probability of at least this many worse cases if the versions were equally good: exact, one-sided sign test; of single attempts McNemar's. */
  readonly pDrop: number;
  /** The smallest share of worse cases that this comparison would have found, at its level, in four of five runs; undefined when none. */
  readonly detectableDrop: number | undefined;
}

/** Compares two versions. `level`: the error that the comparison may make when nothing changed, e.g. 0.05. */
export function compareVersions(cases: readonly PairedCase[], level: number): VersionComparison {
  const changes = cases.map(changeOf).filter((change) => change !== undefined);
  const n = changes.length;
  const worse = changes.filter((change) => change < 0).length;
  const better = changes.filter((change) => change > 0).length;
  return {
    n,
    notMeasured: cases.length - n,
    worse,
    better,
    change: n > 0 ? changes.reduce((sum, change) => sum + change, 0) / n : undefined,
    pDrop: binomialTail(worse + better, worse, 0.5),
    detectableDrop: detectableDrop(n, n > 0 ? better / n : 0, level),
  };
}

/**
 * The change of a case's pass rate over as many attempts of both: with more of one, chance alone would favour one direction. Undefined when
 * one version did not measure it.
 */
function changeOf({ before, after }: PairedCase): number | undefined {
  const known = [before, after].map((verdicts) => verdicts.filter((verdict) => verdict !== "not-measured"));
  const attempts = Math.min(...known.map(({ length }) => length));
  if (attempts === 0) return undefined;
  const [earlier = 0, later = 0] = known.map((verdicts) => passRate(verdicts.slice(0, attempts)).passed);
  return (later - earlier) / attempts;
}

/** The share of runs in which a drop must be found to count as detectable. */
const POWER = 0.8;

/** How exactly the detectable drop is searched, as a share of the cases. */
const PRECISION = 0.001;

/**
 * The smallest drop that n cases find with 80 % power, when a share of the cases (`betterRate`) changes to the better by chance. Undefined
 * when no drop can be found: too few cases.
 */
function detectableDrop(n: number, betterRate: number, level: number): number | undefined {
  const isFound = (drop: number) => powerOf(n, betterRate + drop, betterRate, level) >= POWER;
  let least = 0;
  let most = 1 - 2 * betterRate;
  if (most <= 0 || !isFound(most)) return undefined;
  while (most - least > PRECISION) {
    const middle = (least + most) / 2;
    if (isFound(middle)) most = middle;
    else least = middle;
  }
  return most;
}

/** Numbers of changed cases that are less probable are left out of the power. */
const NEGLIGIBLE = 1e-10;

/**
 * The probability that the test finds a drop at its level, when each of n cases gets worse with one probability and better with another:
 * exact, over all numbers of cases that change.
 */
export function powerOf(n: number, worseRate: number, betterRate: number, level: number): number {
  const changes = worseRate + betterRate;
  if (changes === 0) return 0;
  let power = 0;
  for (let changed = 0; changed <= n; changed++) {
    const probability = binomial(n, changed, changes);
    if (probability < NEGLIGIBLE) continue;
    const critical = criticalCount(changed, level);
    power += probability * binomialTail(changed, critical, worseRate / changes);
  }
  return power;
}

/** The fewest worse of `changed` cases that the test calls a drop; one more than there are when it calls none so. */
function criticalCount(changed: number, level: number): number {
  let tail = 0;
  for (let worse = changed; worse >= 0; worse--) {
    tail += binomial(changed, worse, 0.5);
    if (tail > level) return worse + 1;
  }
  return 0;
}

/** P(X >= least) for X ~ Binomial(n, probability). */
function binomialTail(n: number, least: number, probability: number): number {
  let tail = 0;
  for (let count = Math.max(0, least); count <= n; count++) tail += binomial(n, count, probability);
  return Math.min(1, tail);
}

/** P(X = count) for X ~ Binomial(n, probability), by logarithms: n may be thousands. */
function binomial(n: number, count: number, probability: number): number {
  if (probability <= 0) return count === 0 ? 1 : 0;
  if (probability >= 1) return count === n ? 1 : 0;
  const ways = logFactorial(n) - logFactorial(count) - logFactorial(n - count);
  return Math.exp(ways + count * Math.log(probability) + (n - count) * Math.log1p(-probability));
}

const LOG_FACTORIALS = [0];

function logFactorial(n: number): number {
  for (let next = LOG_FACTORIALS.length; next <= n; next++) {
    LOG_FACTORIALS.push((LOG_FACTORIALS[next - 1] ?? 0) + Math.log(next));
  }
  return LOG_FACTORIALS[n] ?? 0;
}
