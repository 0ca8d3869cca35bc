import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import {
  compareScores,
  compareVersions,
  passRate,
  type ScoreChange,
  usualVerdict,
  type Verdict,
  type VersionComparison,
} from "./statistics.ts";
import { countedVerdicts } from "./verdict.ts";

/** What is compared of a run: its counts by evaluation. */
export type CountedRun = Pick<EvaluationRun, "evaluationRunSummaries">;

/** The same evaluation in two runs. */
export interface ComparedEvaluation {
  /** Resource name. */
  readonly evaluation: string;
  readonly before: readonly Verdict[];
  readonly after: readonly Verdict[];
}

/** Two runs, compared by the evaluations that are in both. */
export interface RunComparison {
  readonly evaluations: readonly ComparedEvaluation[];
  /** Evaluation by evaluation. */
  readonly verdicts: VersionComparison;
  /** The change of the pass rates of the evaluations, with its interval. */
  readonly rates: ScoreChange;
}

/** The error that a comparison may make when nothing changed. */
export const LEVEL = 0.05;

/** Compares two runs by their counts. Each evaluation counts once, as most of its attempts say it: as in the gates of a suite (EVAL-24). */
export function compareRuns(before: CountedRun, after: CountedRun): RunComparison {
  const evaluations = Object.entries(after.evaluationRunSummaries).flatMap(([evaluation, counts]) => {
    const earlier = before.evaluationRunSummaries[evaluation];
    return earlier ? [{ evaluation, before: countedVerdicts(earlier), after: countedVerdicts(counts) }] : [];
  });
  return {
    evaluations,
    verdicts: compareVersions(
      evaluations.map((each) => ({ before: usualVerdict(each.before), after: usualVerdict(each.after) })),
      LEVEL,
    ),
    rates: compareScores(
      evaluations.map((each) => ({ before: passRate(each.before).rate, after: passRate(each.after).rate })),
    ),
  };
}
