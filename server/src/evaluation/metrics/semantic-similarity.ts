import { create } from "@bufbuild/protobuf";
import {
  type Evaluation_GoldenExpectation,
  type EvaluationResult_SemanticSimilarityResult,
  EvaluationResult_SemanticSimilarityResultSchema as SimilaritySchema,
} from "@frontdesk/protos/ces/evaluation";
import { EvaluationMetricsConfig_ComparisonType as Comparison } from "@frontdesk/protos/ces/evaluation_metrics_config";
import { definedFields, wordsOf } from "#base";
import type { Judge, Judgement } from "../judge/judge.ts";
import { type ObservedTurn, textOf } from "../observation/observed-turn.ts";
import { toOutcome, type Verdict, verdictOf } from "../verdict.ts";
import type { GoldenCriteria } from "./thresholds.ts";

/** How near what the agents said is to what the golden expects. */
export interface ScoredResponse {
  readonly result: EvaluationResult_SemanticSimilarityResult;
  readonly verdict: Verdict;
}

/** The scale of semantic similarity (EVAL-10). */
const SCALE: ReadonlyMap<number, string> = new Map([
  [4, "Fully consistent"],
  [3, "Mostly consistent"],
  [2, "Partially consistent"],
  [1, "Largely inconsistent"],
  [0, "Contradictory"],
]);

/**
 * Scores the text of a turn. The same text is fully consistent and a missing or unexpected one contradictory, without a judge. Undefined
 * when the metric is off, or when nothing was expected and nothing said.
 */
export async function scoreResponse(
  expectations: readonly Evaluation_GoldenExpectation[],
  observed: ObservedTurn,
  { enabled, atLeast, ofSound }: GoldenCriteria["similarity"],
  judge: Judge,
  signal: AbortSignal,
): Promise<ScoredResponse | undefined> {
  const responses = expectations.filter(({ condition }) => condition.case === "agentResponse");
  const compared = responses.filter((expectation) => isCompared(expectation, enabled));
  if (compared.length === 0 && !enabled) return undefined;
  const expected = compared.map(expectedText).filter(Boolean).join("\n");
  const spoken = observed.responses.map(textOf).join("\n");
  const said = ofSound && spoken !== "" ? observed.heard : spoken;
  // Expectations with a comparison of their own are decided one by one.
  if (expected === "" && (said === "" || responses.length > 0)) return undefined;
  const judgement = said === undefined ? UNHEARD : await judgeTexts(expected, said, ofSound, judge, signal);
  if (judgement.kind === "not-measured") {
    const result = create(SimilaritySchema, { explanation: judgement.reason, outcome: toOutcome("not-measured") });
    return { result, verdict: "not-measured" };
  }
  const { score, label, explanation } = judgement;
  const verdict = verdictOf(score >= atLeast);
  return { result: create(SimilaritySchema, { score, label, explanation, outcome: toOutcome(verdict) }), verdict };
}

/**
 * Whether an expectation is part of the similarity of its turn: unless it has a comparison of its own, or its own configuration, else that of
 * the evaluation (`enabled`), turns the metric off.
 */
function isCompared(expectation: Evaluation_GoldenExpectation, enabled: boolean): boolean {
  const own = expectation.agentResponseSemanticSimilarityMetricsConfigOverride;
  return !hasOwnComparison(expectation) && (own?.enableSemanticSimilarityMetrics ?? enabled);
}

/** Whether an expected response is decided by its text, without the similarity of its turn. */
export function hasOwnComparison({ comparisonType }: Evaluation_GoldenExpectation): boolean {
  return comparisonType === Comparison.EQUALS || comparisonType === Comparison.CONTAINS;
}

/** The outcome of an expected response that the similarity of its turn decides; not measured where the metric is off. */
export function similarityOutcome(
  expectation: Evaluation_GoldenExpectation,
  similarity: ScoredResponse | undefined,
  { enabled }: GoldenCriteria["similarity"],
): Verdict {
  return similarity && isCompared(expectation, enabled) ? similarity.verdict : "not-measured";
}

/** The text of an expected agent response; "" for another expectation. */
export function expectedText({ condition }: Evaluation_GoldenExpectation): string {
  return condition.case === "agentResponse" ? textOf(condition.value) : "";
}

/** Similarity of sound in a turn by text, or in one whose answer could not be spoken. */
const UNHEARD: Judgement = {
  kind: "not-measured",
  reason: "The answer was not spoken, and similarity of sound is asked for. Run with the evaluation channel AUDIO.",
};

const UNEXPECTED =
  "The agent answered where the golden expects no answer. Add the answer to the turn, or turn semantic similarity off where only calls count.";

async function judgeTexts(
  expected: string,
  said: string,
  ofSound: boolean,
  judge: Judge,
  signal: AbortSignal,
): Promise<Judgement> {
  if (expected === "") return certain(0, UNEXPECTED);
  if (said.trim() === "") return certain(0, "The agent did not answer.");
  // Recognizers write capitals and punctuation as they like (EVAL-113).
  const comparable = ofSound ? (text: string) => wordsOf(text).join(" ") : normalized;
  if (comparable(expected) === comparable(said)) return certain(4, "The answer is the expected one.");
  return judge.ask(
    {
      metric: "semantic-similarity",
      rubric: "How consistent is what the agent said with what was expected? Judge the meaning, not the wording.",
      material: `Expected:\n${expected}\n\nObserved:\n${said}`,
      scale: SCALE,
    },
    signal,
  );
}

function certain(score: number, explanation: string): Judgement {
  return { kind: "measured", score, explanation, ...definedFields({ label: SCALE.get(score) ?? "" }) };
}

function normalized(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}
