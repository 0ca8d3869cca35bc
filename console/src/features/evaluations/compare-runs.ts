import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import {
  compareScores,
  compareVersions,
  mulberry32,
  passRate,
  type ScoreChange,
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
  /** Evaluation by evaluation, as a gate `against` compares (EVAL-22). */
  readonly verdicts: VersionComparison;
  /** The change of the pass rates of the evaluations, with its interval. */
  readonly rates: ScoreChange;
}

/** The error that a comparison may make when nothing changed. */
export const LEVEL = 0.05;

/** Compares two runs by their counts. */
export function compareRuns(before: CountedRun, after: CountedRun): RunComparison {
  const evaluations = Object.entries(after.evaluationRunSummaries).flatMap(([evaluation, counts]) => {
    const earlier = before.evaluationRunSummaries[evaluation];
    return earlier ? [{ evaluation, before: countedVerdicts(earlier), after: countedVerdicts(counts) }] : [];
  });
  const random = mulberry32(1);
  const paired = evaluations.map((each) => ({
    before: shuffled(each.before, random),
    after: shuffled(each.after, random),
  }));
  return {
    evaluations,
    verdicts: compareVersions(paired, LEVEL),
    rates: compareScores(
      evaluations.map((each) => ({ before: passRate(each.before).rate, after: passRate(each.after).rate })),
    ),
  };
}

/** Counts have no order, and of the run with more attempts of an evaluation only as many count as of the other: any of them. */
function shuffled(verdicts: readonly Verdict[], random: () => number): readonly Verdict[] {
  return verdicts
    .map((verdict) => ({ verdict, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ verdict }) => verdict);
}
