import { passRate } from "../statistics/pass-rate.ts";
import type { GatedCase } from "./check-gates.ts";
import type { GatesFile } from "./gates-file.ts";

/**
 * How often each case must run once more until its gates can be decided (EVAL-25): a case that has failed a gate already, and one that has
 * verdicts enough, not at all. Cases without a need are left out.
 */
export function plannedRepeats({ gates }: GatesFile, cases: readonly GatedCase[]): ReadonlyMap<string, number> {
  const planned = new Map<string, number>();
  for (const { name, tags, verdicts } of cases) {
    const { n, passed } = passRate(verdicts);
    const needs = gates
      .filter(({ tag, passAll }) => passAll !== undefined && (tag === undefined || tags.includes(tag)))
      .filter(({ atLeast = 1 }) => atLeast < 1 || passed === n)
      .map(({ passAll = 1 }) => passAll - n);
    const most = Math.max(0, ...needs);
    if (most > 0) planned.set(name, most);
  }
  return planned;
}
