import {
  type EvaluationResult,
  type EvaluationResult_GoldenExpectationOutcome as ExpectationOutcome,
  EvaluationResult_Outcome as Outcome,
  type EvaluationResult_ScenarioResult as ScenarioResult,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
import type { MetricField } from "@frontdesk/protos/metric-field";
import type { JsonObject } from "#base";
import { isGoalFailed } from "../suite/result-checks.ts";
import { evaluationOf } from "./run-progress.ts";

/** The failures of a run by cause. */
export interface LossReport {
  /** `{ losses: [{ cause, count, evaluations, explanation }] }`; an explanation where a model gave one. */
  readonly lossReport: JsonObject;
  /** The same in one sentence, or what a model says about it. */
  readonly reportSummary: string;
}

/** A cause with the failed results that have it. */
export interface Loss {
  readonly cause: string;
  readonly results: readonly EvaluationResult[];
}

/** The failed results of a run by what failed, the most frequent cause first, of equals by name. A result with several causes is in each. */
export function lossesOf(results: readonly EvaluationResult[]): readonly Loss[] {
  const causes = failedOf(results).flatMap((result) =>
    [...new Set(causesOf(result))].map((cause) => ({ cause, result })),
  );
  return [...Map.groupBy(causes, ({ cause }) => cause)]
    .map(([cause, own]) => ({ cause, results: own.map(({ result }) => result) }))
    .sort((one, other) => other.results.length - one.results.length || (one.cause < other.cause ? -1 : 1));
}

/** Counts the failed results of a run by what failed, without a model (EVAL-76). */
export function lossReportOf(results: readonly EvaluationResult[]): LossReport {
  const losses = lossesOf(results).map(({ cause, results: own }) => ({
    cause,
    count: own.length,
    evaluations: [...new Set(own.map(({ name }) => evaluationOf(name)))].sort(),
  }));
  const counts = losses.map(({ cause, count }) => `${cause} (${count})`).join(", ");
  const failed = failedOf(results).length;
  const reportSummary =
    failed === 0 ? "No result failed." : `${failed} of ${results.length} results failed: ${counts}.`;
  return { lossReport: { losses }, reportSummary };
}

function failedOf(results: readonly EvaluationResult[]): readonly EvaluationResult[] {
  return results.filter(({ evaluationStatus }) => evaluationStatus === Outcome.FAIL);
}

function causesOf({ result }: EvaluationResult): readonly string[] {
  const causes: string[] = [];
  if (result.case === "goldenResult")
    causes.push(...result.value.turnReplayResults.flatMap((turn) => causesIn(TURN_CAUSES, turn)));
  if (result.case === "scenarioResult") causes.push(...causesIn(SCENARIO_CAUSES, result.value));
  const judged = result.case === "goldenResult" ? result.value.evaluationExpectationResults : [];
  if (judged.some(isFailed)) causes.push("evaluation expectation");
  return causes.length > 0 ? causes : ["hallucination"];
}

/** The causes that each metric of a result is, by its field. */
type Causes<Result> = Readonly<Record<MetricField<Result>, (result: Result) => readonly string[]>>;

function causesIn<Result>(table: Causes<Result>, result: Result): readonly string[] {
  return Object.values<Causes<Result>[MetricField<Result>]>(table).flatMap((causesOf) => causesOf(result));
}

const TURN_CAUSES: Causes<TurnReplayResult> = {
  expectationOutcome: ({ expectationOutcome }) => expectationOutcome.flatMap(causeOf),
  overallToolInvocationResult: ({ overallToolInvocationResult: overall, toolOrderedInvocationScore: ordered = 1 }) =>
    overall && isFailed(overall) && ordered < (overall.toolInvocationScore ?? 1) ? ["order of tool calls"] : [],
  semanticSimilarityResult: ({ semanticSimilarityResult: similarity }) =>
    similarity && isFailed(similarity) ? ["semantic similarity"] : [],
  // The cause of what has no other: whether it counts is not in the result.
  hallucinationResult: () => [],
};

const SCENARIO_CAUSES: Causes<ScenarioResult> = {
  expectationOutcomes: ({ allExpectationsSatisfied }) =>
    allExpectationsSatisfied === false ? ["unmet scenario expectation"] : [],
  taskCompletionResult: ({ taskCompletionResult }) => (taskCompletionResult?.score === 0 ? ["milestone"] : []),
  userGoalSatisfactionResult: (result) => (isGoalFailed(result) ? ["user goal"] : []),
  evaluationExpectationResults: ({ evaluationExpectationResults }) =>
    evaluationExpectationResults.some(isFailed) ? ["evaluation expectation"] : [],
  hallucinationResult: () => [],
  rubricOutcomes: () => [],
};

function isFailed({ outcome }: { readonly outcome?: Outcome }): boolean {
  return outcome === Outcome.FAIL;
}

const BY_CONDITION: Readonly<Record<string, string>> = {
  toolResponse: "tool response",
  agentResponse: "agent response",
  agentTransfer: "agent transfer",
  updatedVariables: "variables",
  noToolCalls: "tool call where none is expected",
};

function causeOf({ outcome, expectation, result }: ExpectationOutcome): readonly string[] {
  if (outcome !== Outcome.FAIL) return [];
  if (!expectation) return ["extra tool call"];
  if (expectation.condition.case === "toolCall") {
    return [result.case === "observedToolCall" ? "tool call parameters" : "missing tool call"];
  }
  return [BY_CONDITION[expectation.condition.case ?? ""] ?? "expectation"];
}
