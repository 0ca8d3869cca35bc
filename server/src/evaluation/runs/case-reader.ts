import { EvaluationConfig_EvaluationChannel as Channel, type EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import { EvaluationToolCallBehaviour as ToolCallBehaviour } from "@frontdesk/protos/ces/fakes";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import type { Ids } from "#base";
import type { EvaluatedApp, EvaluatedSnapshot, EvaluationCase } from "../contract.ts";
import type { AnswerCache } from "../replay/answer-cache.ts";
import { evaluationOf } from "./run-progress.ts";

/** The case of a result. Undefined when its evaluation was deleted. */
type ReadCase = (result: EvaluationResult, answers: AnswerCache) => EvaluationCase | undefined;

/** Reads cases of an app as it is now, against one snapshot. */
export function caseReader(
  evaluated: EvaluatedApp,
  { ref }: EvaluatedSnapshot,
  signal: AbortSignal,
  ids: Ids,
): ReadCase {
  const evaluations = new Map(evaluated.evaluations.map((evaluation) => [evaluation.name, evaluation]));
  const expectations = new Map(evaluated.evaluationExpectations.map((expectation) => [expectation.name, expectation]));
  const app = ref.snapshot.app ?? evaluated.app;
  return ({ name, goldenRunMethod, persona, config }, answers) => {
    const evaluation = evaluations.get(evaluationOf(name));
    if (!evaluation) return undefined;
    const stable = goldenRunMethod !== GoldenRunMethod.NAIVE;
    const spoken = config?.evaluationChannel === Channel.AUDIO;
    const useToolFakes = config?.toolCallBehaviour === ToolCallBehaviour.FAKE;
    const settings = { stable, useToolFakes, spoken };
    // A new id for each attempt: a case that a stop cut off left sessions behind.
    const id = ids.uuid();
    return { evaluation, app, snapshot: ref, settings, persona, id, answers, expectations, signal };
  };
}
