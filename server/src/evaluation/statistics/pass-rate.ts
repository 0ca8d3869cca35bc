import { type Verdict, verdictOf } from "../verdict.ts";

/** How often something passed. What was not measured is counted apart, and is part of no rate (EVAL-20). */
export interface PassRate {
  /** Verdicts that are known: passed or failed. */
  readonly n: number;
  readonly passed: number;
  readonly notMeasured: number;
  /** 0 to 1. Undefined when nothing is known. */
  readonly rate: number | undefined;
  /** Wilson score interval of the rate, 95 %. Undefined when nothing is known. */
  readonly interval: readonly [low: number, high: number] | undefined;
}

/** The rate of verdicts that passed. */
export function passRate(verdicts: readonly Verdict[]): PassRate {
  const passed = verdicts.filter((verdict) => verdict === "passed").length;
  const n = verdicts.filter((verdict) => verdict !== "not-measured").length;
  const known = n > 0;
  return {
    n,
    passed,
    notMeasured: verdicts.length - n,
    rate: known ? passed / n : undefined,
    interval: known ? wilson(passed, n) : undefined,
  };
}

/** What most repeats of a case say (EVAL-24); a tie has failed. */
export function usualVerdict(verdicts: readonly Verdict[]): Verdict {
  const { n, passed } = passRate(verdicts);
  if (n === 0) return "not-measured";
  return verdictOf(passed > n / 2);
}

/** The standard normal quantile of a two-sided 95 % interval. */
const Z95 = 1.959963984540054;

/** The Wilson score interval of a proportion (Wilson 1927): holds its level for small n and for rates near 0 and 1. */
function wilson(passed: number, n: number): readonly [number, number] {
  const rate = passed / n;
  const z2 = Z95 * Z95;
  const center = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n));
  return [passed === 0 ? 0 : Math.max(0, center - half), passed === n ? 1 : Math.min(1, center + half)];
}

/**
 * The probability that k attempts all pass, estimated without bias from c passed of n: C(c,k) / C(n,k) (EVAL-20). Undefined when fewer than k
 * verdicts are known.
 */
export function passAllOf(k: number, { n, passed }: Pick<PassRate, "n" | "passed">): number | undefined {
  if (n < k) return undefined;
  let probability = 1;
  for (let taken = 0; taken < k; taken++) probability *= Math.max(0, passed - taken) / (n - taken);
  return probability;
}
