import { create } from "@bufbuild/protobuf";
import {
  type Evaluation_GoldenExpectation,
  type EvaluationResult_HallucinationResult,
  EvaluationResult_HallucinationResultSchema as HallucinationSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { Judge, Judgement } from "../judge/judge.ts";
import { transcriptOf } from "../judge/transcript.ts";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import type { ScoredResponse } from "./semantic-similarity.ts";

/** Whether what the agents claim is in what their tools returned. */
interface ScoredHallucination {
  readonly result: EvaluationResult_HallucinationResult;
  readonly verdict: Verdict;
}

/** The scale of the hallucination metric (EVAL-11). */
const SCALE: ReadonlyMap<number, string> = new Map([
  [1, "Justified"],
  [0, "Not justified"],
  [-1, "No claim to assess"],
]);

/** Whether an expected response turns the metric off for its turn: a configuration without its flag does (EVAL-7). */
export function isHallucinationOff(expectations: readonly Evaluation_GoldenExpectation[]): boolean {
  return expectations.some(
    ({ agentResponseHallucinationMetricsConfigOverride: own }) => own?.enableHallucinationMetrics === false,
  );
}

/**
 * Judges a turn with tool calls; undefined for a turn without. An answer that a golden contains word for word is justified, without a
 * judge.
 */
export async function judgeHallucination(
  turn: ObservedTurn,
  response: ScoredResponse | undefined,
  judge: Judge,
  signal: AbortSignal,
): Promise<ScoredHallucination | undefined> {
  if (turn.calls.length === 0) return undefined;
  const judgement = await judgeTurn(turn, response, judge, signal);
  if (judgement.kind === "not-measured") {
    return { result: create(HallucinationSchema, { explanation: judgement.reason }), verdict: "not-measured" };
  }
  const { score, label, explanation } = judgement;
  return { result: create(HallucinationSchema, { score, label, explanation }), verdict: verdictOf(score !== 0) };
}

async function judgeTurn(
  turn: ObservedTurn,
  response: ScoredResponse | undefined,
  judge: Judge,
  signal: AbortSignal,
): Promise<Judgement> {
  const measured = (score: number, explanation: string): Judgement => {
    return { kind: "measured", score, label: SCALE.get(score) ?? "", explanation };
  };
  if (turn.responses.length === 0) return measured(-1, "The agent did not answer.");
  if (response?.result.score === 4) return measured(1, "The answer is the expected one.");
  return judge.ask(
    {
      metric: "hallucination",
      rubric:
        "Is each claim of the agent's answers justified by the conversation and the tool responses? " +
        "Do not use your own knowledge of the world.",
      material: transcriptOf(turn.messages),
      scale: SCALE,
    },
    signal,
  );
}
