import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  type EvaluationResult_GoldenExpectationOutcome as GoldenOutcome,
  EvaluationResult_GoldenExpectationOutcomeSchema as GoldenOutcomeSchema,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
import type { MetricField } from "@frontdesk/protos/metric-field";
import type { ComponentType } from "react";
import { Banner } from "../../components/banner.tsx";
import type { Turn } from "../simulator/turn.ts";
import { TurnView } from "../simulator/turn-view.tsx";
import { timeText } from "../traces/span-rows.ts";
import { conditionLabel } from "./condition-view.tsx";
import { decidingSpan } from "./deciding-span.ts";
import { ExpectedObserved, OutcomeView } from "./outcome-view.tsx";
import { verdictOf } from "./verdict.ts";

interface GoldenTurnResultProps {
  readonly index: number;
  readonly result: TurnReplayResult;
  /** What happened; undefined while it loads, and when the conversation is gone. */
  readonly turn: Turn | undefined;
  /** Shows a span of the turn; undefined: the turn as a whole. */
  readonly onShow: (span: string | undefined) => void;
  readonly shown: boolean;
}

/** One turn of a golden: what happened, and each check with what was expected and observed. */
export function GoldenTurnResult({ index, result, turn, onShow, shown }: GoldenTurnResultProps) {
  const { errorInfo, turnLatency } = result;
  const showing: MetricProps["showing"] = (outcome) => {
    const span = turn?.rootSpan && decidingSpan(turn.rootSpan, outcome);
    return span === undefined ? undefined : () => onShow(span);
  };
  return (
    <section className="replayed-turn" aria-label={`Turn ${index + 1} of the golden`}>
      <h2>
        Turn {index + 1} {turnLatency && <small className="muted">{timeText(durationMs(turnLatency))}</small>}
      </h2>
      {turn && <TurnView turn={turn} chosen={shown} onChoose={() => onShow(undefined)} />}
      {errorInfo?.errorMessage && <Banner tone="warning">{errorInfo.errorMessage}</Banner>}
      {Object.entries(METRICS).map(([field, Metric]) => (
        <Metric key={field} result={result} showing={showing} />
      ))}
    </section>
  );
}

/** An outcome about the agent's words. */
const ANSWER = create(GoldenOutcomeSchema);

interface MetricProps {
  readonly result: TurnReplayResult;
  /** What shows the span that decided an outcome; undefined where there is none. */
  readonly showing: (outcome: Pick<GoldenOutcome, "expectation" | "result">) => (() => void) | undefined;
}

/** How each metric of a turn is shown, in this order. */
const METRICS: Readonly<Record<MetricField<TurnReplayResult>, ComponentType<MetricProps>>> = {
  expectationOutcome: ({ result, showing }) =>
    result.expectationOutcome.map((outcome, at) => {
      const { expectation, result: observed, toolInvocationResult } = outcome;
      const expected = expectation?.condition ?? { case: undefined };
      return (
        <OutcomeView
          // biome-ignore lint/suspicious/noArrayIndexKey: outcomes have no other identity, and never change
          key={at}
          state={verdictOf(outcome.outcome)}
          title={conditionLabel(expected.case ? expected : observed)}
          explanation={[expectation?.note, toolInvocationResult?.explanation].filter(Boolean).join(" ")}
          onShowSpan={showing(outcome)}
        >
          <ExpectedObserved state={verdictOf(outcome.outcome)} expected={expected} observed={observed} />
        </OutcomeView>
      );
    }),
  semanticSimilarityResult: ({ result: { semanticSimilarityResult: similarity }, showing }) =>
    similarity && (
      <OutcomeView
        state={verdictOf(similarity.outcome)}
        title={`Semantic similarity${scoreText(similarity.score, 4)}`}
        explanation={similarity.explanation}
        onShowSpan={showing(ANSWER)}
      />
    ),
  overallToolInvocationResult: ({ result: { overallToolInvocationResult: invocation, ...result } }) =>
    invocation && (
      <OutcomeView
        state={verdictOf(invocation.outcome)}
        title={`Tool calls${scoreText(invocation.toolInvocationScore, 1)}`}
        explanation={orderText(result.toolOrderedInvocationScore)}
      />
    ),
  hallucinationResult: ({ result: { hallucinationResult: claims } }) =>
    claims && (
      <OutcomeView
        state={hallucinationState(claims.score)}
        title={`Hallucination: ${claims.label || "no score"}`}
        explanation={claims.explanation}
      />
    ),
};

function scoreText(score: number | undefined, most: number): string {
  return score === undefined ? "" : `: ${Math.round(score * 100) / 100} of ${most}`;
}

function orderText(score: number | undefined): string {
  return score === undefined || score === 1 ? "" : `In the expected order: ${Math.round(score * 100)}%.`;
}

/** 1 justified, 0 not justified, -1 no claim (EVAL-11); without a score nothing was judged. */
export function hallucinationState(score: number | undefined) {
  if (score === undefined) return "not-measured";
  return score === 0 ? "failed" : "passed";
}
