import { create } from "@bufbuild/protobuf";
import {
  type EvaluationResult_GoldenExpectationOutcome,
  type EvaluationResult_GoldenResult_TurnReplayResult,
  EvaluationResult_GoldenExpectationOutcomeSchema as OutcomeSchema,
  EvaluationResult_GoldenResult_TurnReplayResultSchema as TurnReplayResultSchema,
} from "@frontdesk/protos/ces/evaluation";
import { definedFields } from "#base";
import type { GoldenTurn } from "../golden/golden-turns.ts";
import type { Judge } from "../judge/judge.ts";
import { type GuardrailNames, latenciesOf } from "../observation/latencies.ts";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import { allOf, toOutcome, type Verdict, verdictOf } from "../verdict.ts";
import { type Alignment, alignToolCalls } from "./align-tool-calls.ts";
import { expectationOutcomes } from "./expectation-outcomes.ts";
import { isHallucinationOff, judgeHallucination } from "./hallucination.ts";
import { sameMeaningBy } from "./same-meaning.ts";
import { scoreResponse } from "./semantic-similarity.ts";
import { type GoldenCriteria, reaches } from "./thresholds.ts";

/** A scored turn of a golden. */
export interface ScoredTurn {
  readonly result: EvaluationResult_GoldenResult_TurnReplayResult;
  readonly verdict: Verdict;
}

/** Compares a turn with what its golden expects, metric by metric. A failing metric does not end the comparison. */
export async function scoreGoldenTurn(
  golden: GoldenTurn,
  observed: ObservedTurn,
  { criteria, guardrails }: { readonly criteria: GoldenCriteria; readonly guardrails: GuardrailNames },
  judge: Judge,
  signal: AbortSignal,
): Promise<ScoredTurn> {
  const expectations = golden.expectations.filter(({ skipEvaluation }) => !skipEvaluation);
  const alignment = await alignToolCalls(expectations, observed.calls, sameMeaningBy(judge, signal));
  const response = await scoreResponse(expectations, observed, criteria.similarity, judge, signal);
  const outcomes = expectationOutcomes(expectations, observed, alignment, response, criteria);
  const invocation = invocationVerdict(alignment, criteria);
  const hallucination = isHallucinationOff(expectations)
    ? undefined
    : await judgeHallucination(observed, response, judge, signal);
  const { orderedScore, invocationScore } = alignment;
  const result = create(TurnReplayResultSchema, {
    conversation: observed.conversation,
    expectationOutcome: [...outcomes.map(({ outcome }) => outcome), ...extraCallOutcomes(alignment, criteria)],
    ...latenciesOf(observed, guardrails),
    ...definedFields({
      semanticSimilarityResult: response?.result,
      hallucinationResult: hallucination?.result,
      toolOrderedInvocationScore: criteria.toolCalls.enabled ? orderedScore : undefined,
      overallToolInvocationResult: invocation && {
        outcome: toOutcome(invocation),
        ...definedFields({ toolInvocationScore: invocationScore }),
      },
    }),
  });
  const verdicts = outcomes.map(({ verdict }) => verdict);
  if (response) verdicts.push(response.verdict);
  if (invocation) verdicts.push(invocation);
  if (hallucination && criteria.hallucinationCounts) verdicts.push(hallucination.verdict);
  return { result, verdict: allOf(verdicts) };
}

/** Calls that are missing, in another order, or not expected; undefined when the metric is off or there is nothing to measure. */
function invocationVerdict({ invocationScore, orderedScore, extra }: Alignment, criteria: GoldenCriteria) {
  const { toolCalls, extraToolCallsFail } = criteria;
  if (!toolCalls.enabled) return undefined;
  if (invocationScore === undefined && extra.length === 0) return undefined;
  const enough = reaches(Math.min(invocationScore ?? 1, orderedScore ?? 1), toolCalls.atLeast);
  return verdictOf(enough && !(extraToolCallsFail && extra.length > 0));
}

/** Calls that nothing expects, each as an outcome without an expectation. */
function extraCallOutcomes(
  { extra }: Alignment,
  { extraToolCallsFail, toolCalls }: GoldenCriteria,
): readonly EvaluationResult_GoldenExpectationOutcome[] {
  const outcome = toOutcome(verdictOf(!(extraToolCallsFail && toolCalls.enabled)));
  return extra.map(({ call }) =>
    create(OutcomeSchema, {
      result: { case: "observedToolCall", value: call },
      outcome,
      toolInvocationResult: { outcome, explanation: "No expectation is about this call." },
    }),
  );
}
