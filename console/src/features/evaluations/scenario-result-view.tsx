import type { EvaluationResult_ScenarioResult as ScenarioResult } from "@frontdesk/protos/ces/evaluation";
import type { MetricField } from "@frontdesk/protos/metric-field";
import { type ComponentType, useState } from "react";
import { TurnView } from "../simulator/turn-view.tsx";
import { TracePanel } from "../traces/trace-panel.tsx";
import { conditionLabel } from "./condition-view.tsx";
import type { Condition } from "./deciding-span.ts";
import { ExpectationResults } from "./expectation-results.tsx";
import { hallucinationState } from "./golden-turn-result.tsx";
import { ExpectedObserved, OutcomeView } from "./outcome-view.tsx";
import { useRecordedConversation } from "./use-recorded-turns.ts";
import { verdictOf } from "./verdict.ts";

type Outcome = ScenarioResult["expectationOutcomes"][number];

/** The result of a scenario: its checks and its conversation, beside the trace of a turn. */
export function ScenarioResultView({ app, result }: { readonly app: string; readonly result: ScenarioResult }) {
  const [shown, setShown] = useState(0);
  const turns = useRecordedConversation(result.conversation);
  return (
    <div className="result-panes">
      <div className="stack">
        <p className="page-text">{result.task}</p>
        <h2>Checks</h2>
        {Object.entries(METRICS).map(([field, Metric]) => (
          <Metric key={field} result={result} />
        ))}
        <h2>Conversation</h2>
        {turns.map((turn) => (
          <TurnView key={turn.index} turn={turn} chosen={turn.index === shown} onChoose={() => setShown(turn.index)} />
        ))}
      </div>
      <TracePanel key={`${shown} ${turns.length}`} app={app} turns={turns} turn={turns[shown]} />
    </div>
  );
}

/** How each metric of a scenario is shown, in this order. */
const METRICS: Readonly<Record<MetricField<ScenarioResult>, ComponentType<{ readonly result: ScenarioResult }>>> = {
  taskCompletionResult: ({ result: { taskCompletionResult: completion } }) =>
    completion?.score === 0 && <OutcomeView state="failed" title="Milestones" explanation={completion.explanation} />,
  userGoalSatisfactionResult: ({ result: { userGoalSatisfactionResult: goal } }) =>
    goal && (
      <OutcomeView
        state={GOAL[goal.score ?? -1] ?? "not-measured"}
        title={`User goal: ${goal.label || "no score"}`}
        explanation={goal.explanation}
      />
    ),
  expectationOutcomes: ({ result }) =>
    result.expectationOutcomes.map((outcome, at) => (
      <OutcomeView
        // biome-ignore lint/suspicious/noArrayIndexKey: outcomes have no other identity, and never change
        key={at}
        state={verdictOf(outcome.outcome)}
        title={conditionLabel(expectedIn(outcome))}
      >
        <ExpectedObserved
          state={verdictOf(outcome.outcome)}
          expected={expectedIn(outcome)}
          observed={observedIn(outcome)}
        />
      </OutcomeView>
    )),
  evaluationExpectationResults: ({ result }) => <ExpectationResults results={result.evaluationExpectationResults} />,
  rubricOutcomes: ({ result }) =>
    result.rubricOutcomes.map(({ rubric, score, scoreExplanation }) => (
      <OutcomeView
        key={rubric}
        state={score === undefined ? "not-measured" : score > 0 ? "passed" : "failed"}
        title={rubric}
        explanation={scoreExplanation}
      />
    )),
  hallucinationResult: ({ result }) =>
    result.hallucinationResult.map(({ score, label, explanation }, at) => (
      <OutcomeView
        // biome-ignore lint/suspicious/noArrayIndexKey: one a turn, in order
        key={at}
        state={hallucinationState(score)}
        title={`Hallucination: ${label || "no score"}`}
        explanation={explanation}
      />
    )),
};

/** 1 satisfied, 0 not satisfied, -1 unspecified (EVAL-18). */
const GOAL = { 1: "passed", 0: "failed" } as Readonly<Record<number, "passed" | "failed">>;

function expectedIn({ expectation }: Outcome): Condition {
  const expected = expectation?.expectation;
  if (expected?.case === "agentResponse") return expected;
  if (expected?.case === "toolExpectation" && expected.value.expectedToolCall)
    return { case: "toolCall", value: expected.value.expectedToolCall };
  return { case: undefined };
}

function observedIn({ result }: Outcome): Condition {
  if (result.case === "observedAgentResponse") return result;
  if (result.case === "observedToolCall" && result.value.toolCall)
    return { case: "observedToolCall", value: result.value.toolCall };
  return { case: undefined };
}
