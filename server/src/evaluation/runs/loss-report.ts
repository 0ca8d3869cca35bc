import {
  type EvaluationResult,
  type EvaluationResult_GoldenExpectationOutcome as ExpectationOutcome,
  EvaluationResult_Outcome as Outcome,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
import type { JsonObject } from "#base";
import { evaluationOf } from "./run-progress.ts";

/** The failures of a run by cause. */
export interface LossReport {
  /** `{ losses: [{ cause, count, evaluations }] }`: the most frequent cause first, of equals by name. */
  readonly lossReport: JsonObject;
  /** The same in one sentence. */
  readonly reportSummary: string;
}

/** Groups the failed results of a run by what failed, without a model (EVAL-76). A result with several causes counts for each. */
export function lossReportOf(results: readonly EvaluationResult[]): LossReport {
  const failed = results.filter(({ evaluationStatus }) => evaluationStatus === Outcome.FAIL);
  const causes = failed.flatMap((result) =>
    [...new Set(causesOf(result))].map((cause) => ({ cause, evaluation: evaluationOf(result.name) })),
  );
  const losses = [...Map.groupBy(causes, ({ cause }) => cause)]
    .map(([cause, own]) => ({
      cause,
      count: own.length,
      evaluations: [...new Set(own.map(({ evaluation }) => evaluation))].sort(),
    }))
    .sort((one, other) => other.count - one.count || (one.cause < other.cause ? -1 : 1));
  const counts = losses.map(({ cause, count }) => `${cause} (${count})`).join(", ");
  const reportSummary =
    failed.length === 0 ? "No result failed." : `${failed.length} of ${results.length} results failed: ${counts}.`;
  return { lossReport: { losses }, reportSummary };
}

function causesOf({ result }: EvaluationResult): readonly string[] {
  const causes: string[] = [];
  if (result.case === "goldenResult") causes.push(...result.value.turnReplayResults.flatMap(causesOfTurn));
  if (result.case === "scenarioResult") {
    const { allExpectationsSatisfied, userGoalSatisfactionResult, taskCompleted } = result.value;
    if (allExpectationsSatisfied === false) causes.push("unmet scenario expectation");
    else if (userGoalSatisfactionResult?.score === 0) causes.push("user goal");
    else if (taskCompleted === false) causes.push("task not completed");
  }
  const judged = result.case === undefined ? [] : result.value.evaluationExpectationResults;
  if (judged.some(({ outcome }) => outcome === Outcome.FAIL)) causes.push("evaluation expectation");
  return causes.length > 0 ? causes : ["hallucination"];
}

function causesOfTurn(turn: TurnReplayResult): readonly string[] {
  const causes = turn.expectationOutcome.flatMap(causeOf);
  const { overallToolInvocationResult: overall, toolOrderedInvocationScore: ordered = 1 } = turn;
  if (overall?.outcome === Outcome.FAIL && ordered < (overall.toolInvocationScore ?? 1))
    causes.push("order of tool calls");
  if (turn.semanticSimilarityResult?.outcome === Outcome.FAIL) causes.push("semantic similarity");
  return causes;
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
