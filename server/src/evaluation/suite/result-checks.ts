import {
  type EvaluationResult_EvaluationExpectationResult as ExpectationResult,
  type Evaluation_GoldenExpectation as GoldenExpectation,
  type EvaluationResult_GoldenExpectationOutcome as GoldenOutcome,
  EvaluationResult_Outcome as Outcome,
  type EvaluationResult_ScenarioExpectationOutcome as ScenarioOutcome,
  type EvaluationResult_ScenarioResult as ScenarioResult,
  EvaluationResult_SpanLatency_Type as SpanType,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnResult,
} from "@frontdesk/protos/ces/evaluation";
import type { ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import type { MetricField } from "@frontdesk/protos/metric-field";
import { latencyMs } from "../observation/latencies.ts";
import { textOf } from "../observation/observed-turn.ts";
import type { CaseFindings } from "../runs/run-case.ts";
import type { Verdict } from "../verdict.ts";
import type { TestCheck } from "./contract.ts";

type Spans = TurnResult["spanLatencies"];

/** The comparisons of an evaluation's result, turn by turn. */
export function resultChecks({ result }: Pick<CaseFindings, "result">): readonly TestCheck[] {
  if (result.case === "scenarioResult") return scenarioChecks(result.value);
  if (result.case !== "goldenResult") return [];
  const { turnReplayResults, evaluationExpectationResults } = result.value;
  return [...turnReplayResults.flatMap(turnChecks), ...evaluationExpectationResults.map(expectationCheck)];
}

function turnChecks(turn: TurnResult, position: number): readonly TestCheck[] {
  const title = `turn ${position + 1}`;
  const checks = Object.values(TURN_CHECKS).flatMap((checksOf) => checksOf(turn, title));
  return turn.errorInfo ? [...checks, check(title, Outcome.SKIPPED, turn.errorInfo.errorMessage)] : checks;
}

/** What each metric of a turn says. */
const TURN_CHECKS: Readonly<
  Record<MetricField<TurnResult>, (turn: TurnResult, title: string) => readonly TestCheck[]>
> = {
  expectationOutcome: ({ expectationOutcome, spanLatencies }, title) =>
    expectationOutcome.map((outcome) => goldenCheck(title, outcome, spanLatencies)),
  semanticSimilarityResult: ({ semanticSimilarityResult: similarity }, title) => {
    if (!similarity || similarity.outcome === Outcome.PASS) return [];
    const score = similarity.score === undefined ? "" : ` ${similarity.score} of 4`;
    return [check(`${title}: semantic similarity${score}`, similarity.outcome, similarity.explanation)];
  },
  overallToolInvocationResult: ({ overallToolInvocationResult: invocation, ...turn }, title) => {
    if (!invocation || invocation.outcome === Outcome.PASS) return [];
    const scores = `invocation ${invocation.toolInvocationScore ?? 1}, order ${turn.toolOrderedInvocationScore ?? 1}`;
    const explanation = `Calls are missing, extra or in another order: ${scores}.`;
    return [check(`${title}: tool calls`, invocation.outcome, explanation)];
  },
  hallucinationResult: ({ hallucinationResult: claims }, title) =>
    claims?.score === 0 ? [check(`${title}: hallucination`, Outcome.FAIL, claims.explanation)] : [],
};

function goldenCheck(turn: string, outcome: GoldenOutcome, spans: Spans): TestCheck {
  const { expectation, result, toolInvocationResult } = outcome;
  const { label, text, span } = expectation ? expected(expectation) : EXTRA_CALL;
  const tool = result.case === "observedToolCall" ? nameOf(result.value) : span.name;
  return {
    title: `${turn}: ${label}`,
    verdict: toVerdict(outcome.outcome),
    expected: text,
    observed: observed(result),
    explanation: toolInvocationResult?.explanation ?? "",
    span: spanText(spans, span.type, tool),
  };
}

interface Expected {
  readonly label: string;
  readonly text: string;
  /** Which span shows it. */
  readonly span: { readonly type: SpanType; readonly name: string };
}

const EXTRA_CALL: Expected = { label: "extra tool call", text: "no call", span: { type: SpanType.TOOL, name: "" } };

function expected({ condition }: GoldenExpectation): Expected {
  const llm = { type: SpanType.LLM, name: "" };
  switch (condition.case) {
    case "toolCall": {
      const name = nameOf(condition.value);
      return { label: `tool call ${name}`, text: callText(condition.value), span: { type: SpanType.TOOL, name } };
    }
    case "toolResponse": {
      const name = nameOf(condition.value);
      const text = json(condition.value.response ?? {});
      return { label: `response of ${name}`, text, span: { type: SpanType.TOOL, name } };
    }
    case "agentResponse":
      return { label: "agent response", text: textOf(condition.value), span: llm };
    case "agentTransfer": {
      const { displayName, targetAgent } = condition.value;
      const target = displayName || lastOf(targetAgent);
      return { label: `transfer to ${target}`, text: target, span: llm };
    }
    case "updatedVariables":
      return { label: "variables", text: json(condition.value), span: { type: SpanType.USER_CALLBACK, name: "" } };
    default:
      return { label: "no tool calls", text: "no call", span: { type: SpanType.TOOL, name: "" } };
  }
}

function observed(result: GoldenOutcome["result"]): string {
  switch (result.case) {
    case "observedToolCall":
      return callText(result.value);
    case "observedToolResponse":
      return json(result.value.response ?? {});
    case "observedAgentResponse":
      return textOf(result.value);
    case "observedAgentTransfer":
      return result.value.displayName || lastOf(result.value.targetAgent);
    case "observedPayload":
      return json(result.value);
    default:
      return "";
  }
}

function scenarioChecks(result: ScenarioResult): readonly TestCheck[] {
  return Object.values(SCENARIO_CHECKS).flatMap((checksOf) => checksOf(result));
}

/** What each metric of a scenario says (EVAL-106). */
const SCENARIO_CHECKS: Readonly<Record<MetricField<ScenarioResult>, (result: ScenarioResult) => readonly TestCheck[]>> =
  {
    expectationOutcomes: ({ expectationOutcomes, spanLatencies }) =>
      expectationOutcomes.map((outcome) => scenarioCheck(outcome, spanLatencies)),
    taskCompletionResult: ({ taskCompletionResult: completion }) =>
      completion?.score === 0 ? [check("milestones", Outcome.FAIL, completion.explanation)] : [],
    userGoalSatisfactionResult: (result) => {
      const goal = result.userGoalSatisfactionResult;
      if (!goal) return [];
      const outcome = goal.score === undefined ? Outcome.SKIPPED : isGoalFailed(result) ? Outcome.FAIL : undefined;
      return [check("user's goal", outcome, `${goal.label} ${goal.explanation}`.trim())];
    },
    hallucinationResult: ({ hallucinationResult, taskCompleted }) =>
      hallucinationResult
        .filter(({ score }) => score === 0 && taskCompleted === false)
        .map(({ explanation }) => check("hallucination", Outcome.FAIL, explanation)),
    // They are scored and decide nothing (EVAL-18).
    rubricOutcomes: () => [],
    evaluationExpectationResults: (result) => result.evaluationExpectationResults.map(expectationCheck),
  };

function scenarioCheck({ expectation, outcome, result }: ScenarioOutcome, spans: Spans): TestCheck {
  const wanted = expectation?.expectation;
  const call = wanted?.case === "toolExpectation" ? wanted.value.expectedToolCall : undefined;
  const response = wanted?.case === "agentResponse" ? textOf(wanted.value) : "";
  const seen = result.case === "observedToolCall" ? result.value.toolCall : undefined;
  return {
    title: call ? `tool call ${nameOf(call)}` : "agent response",
    verdict: toVerdict(outcome),
    expected: call ? callText(call) : response,
    observed: seen ? callText(seen) : result.case === "observedAgentResponse" ? textOf(result.value) : "",
    explanation: "",
    span: call ? spanText(spans, SpanType.TOOL, nameOf(call)) : "",
  };
}

/** Whether the user's goal is why a scenario failed: a result does not say which behavior was wanted. A goal that was to be rejected and was met is, where nothing else is. */
export function isGoalFailed({ taskCompleted, userGoalSatisfactionResult: goal, ...result }: ScenarioResult): boolean {
  if (taskCompleted !== false || goal?.score === undefined) return false;
  if (goal.score !== 1) return true;
  const otherwise =
    result.allExpectationsSatisfied === false ||
    result.taskCompletionResult?.score === 0 ||
    result.hallucinationResult.some(({ score }) => score === 0);
  return !otherwise;
}

function expectationCheck({ prompt, outcome, explanation }: ExpectationResult): TestCheck {
  return { ...check("expectation", outcome, explanation), expected: prompt };
}

function check(title: string, outcome: Outcome | undefined, explanation: string): TestCheck {
  return { title, verdict: toVerdict(outcome), expected: "", observed: "", explanation, span: "" };
}

function toVerdict(outcome: Outcome | undefined): Verdict {
  if (outcome === Outcome.FAIL) return "failed";
  return outcome === Outcome.SKIPPED ? "not-measured" : "passed";
}

const SPAN_NAMES: Readonly<Record<number, string>> = {
  [SpanType.TOOL]: "Tool",
  [SpanType.USER_CALLBACK]: "Callback",
  [SpanType.GUARDRAIL]: "Guardrail",
  [SpanType.LLM]: "LLM",
};

/** The last span of a type and, where it is known, of a name. */
function spanText(spans: Spans, type: SpanType, name: string): string {
  const found = spans.findLast((span) => span.type === type && (name === "" || span.displayName === name));
  return found ? `${SPAN_NAMES[type]} ${found.displayName}, ${latencyMs(found).toFixed(1)} ms` : "";
}

function nameOf({ displayName, toolIdentifier }: ToolCall | ToolResponse): string {
  if (displayName) return displayName;
  return toolIdentifier.case === "toolsetTool" ? toolIdentifier.value.toolId : lastOf(toolIdentifier.value ?? "tool");
}

function callText(call: ToolCall): string {
  return `${nameOf(call)}(${json(call.args ?? {})})`;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function json(value: object): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
}
