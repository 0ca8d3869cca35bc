import type { Verdict } from "../verdict.ts";

/** The same case against two versions. */
interface PairedCase {
  readonly before: Verdict;
  readonly after: Verdict;
}

/** Two versions of an app, compared case by case (EVAL-22). Cases that were not measured in both are left out and counted. */
export interface VersionComparison {
  /** Cases that were measured in both. */
  readonly n: number;
  readonly notMeasured: number;
  /** Cases that passed before and fail now. */
  readonly broken: number;
  /** Cases that failed before and pass now. */
  readonly mended: number;
  /** Change of the pass rate, -1 to 1. Undefined when no case was measured in both. */
  readonly change: number | undefined;
  /** Probability of at least this many broken cases if the versions were equally good: exact, one-sided McNemar test. */
  readonly pDrop: number;
  /** The smallest drop of the pass rate that this comparison would have found, at its level, in four of five runs; undefined when none. */
  readonly detectableDrop: number | undefined;
}

/** Compares two versions. `level`: the error that the comparison may make when nothing changed, e.g. 0.05. */
export function compareVersions(cases: readonly PairedCase[], level: number): VersionComparison {
  const known = cases.filter(({ before, after }) => before !== "not-measured" && after !== "not-measured");
  const n = known.length;
  const broken = known.filter(({ before, after }) => before === "passed" && after === "failed").length;
  const mended = known.filter(({ before, after }) => before === "failed" && after === "passed").length;
  return {
    n,
    notMeasured: cases.length - n,
    broken,
    mended,
    change: n > 0 ? (mended - broken) / n : undefined,
    pDrop: binomialTail(broken + mended, broken, 0.5),
    detectableDrop: detectableDrop(n, n > 0 ? mended / n : 0, level),
  };
}

/** The share of runs in which a drop must be found to count as detectable. */
const POWER = 0.8;

/** How exactly the detectable drop is searched, as a share of the cases. */
const PRECISION = 0.001;

/**
 * The smallest drop that n cases find with 80 % power, when a share of the cases (`mendedRate`) changes to the better by chance. Undefined
 * when no drop can be found: too few cases.
 */
function detectableDrop(n: number, mendedRate: number, level: number): number | undefined {
  const isFound = (drop: number) => powerOf(n, mendedRate + drop, mendedRate, level) >= POWER;
  let least = 0;
  let most = 1 - 2 * mendedRate;
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
 * The probability that the test finds a drop at its level, when each of n cases breaks with one probability and is mended with another:
 * exact, over all numbers of cases that change.
 */
export function powerOf(n: number, brokenRate: number, mendedRate: number, level: number): number {
  const changes = brokenRate + mendedRate;
  if (changes === 0) return 0;
  let power = 0;
  for (let changed = 0; changed <= n; changed++) {
    const probability = binomial(n, changed, changes);
    if (probability < NEGLIGIBLE) continue;
    const critical = criticalCount(changed, level);
    power += probability * binomialTail(changed, critical, brokenRate / changes);
  }
  return power;
}

/** The fewest broken of `changed` cases that the test calls a drop; one more than there are when it calls none so. */
function criticalCount(changed: number, level: number): number {
  let tail = 0;
  for (let broken = changed; broken >= 0; broken--) {
    tail += binomial(changed, broken, 0.5);
    if (tail > level) return broken + 1;
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
