import type { EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import { evaluationOf } from "../../api/resource-names.ts";
import {
  compareScores,
  compareVersions,
  passRate,
  type ScoreChange,
  type Verdict,
  type VersionComparison,
} from "./statistics.ts";
import { resultState, verdictsOf } from "./verdict.ts";

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

/** Compares the results of two runs. */
export function compareRuns(before: readonly EvaluationResult[], after: readonly EvaluationResult[]): RunComparison {
  const [old, present] = [verdictsByEvaluation(before), verdictsByEvaluation(after)];
  const evaluations = [...present].flatMap(([evaluation, verdicts]) => {
    const earlier = old.get(evaluation);
    return earlier ? [{ evaluation, before: earlier, after: verdicts }] : [];
  });
  return {
    evaluations,
    verdicts: compareVersions(evaluations, LEVEL),
    rates: compareScores(
      evaluations.map((each) => ({ before: passRate(each.before).rate, after: passRate(each.after).rate })),
    ),
  };
}

function verdictsByEvaluation(results: readonly EvaluationResult[]): ReadonlyMap<string, readonly Verdict[]> {
  const byEvaluation = Map.groupBy(results, ({ name }) => evaluationOf(name));
  return new Map([...byEvaluation].map(([name, own]) => [name, verdictsOf(own.map(resultState))]));
}
