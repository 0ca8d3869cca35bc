import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  type EvaluationResult_GoldenExpectationOutcome as GoldenOutcome,
  EvaluationResult_GoldenExpectationOutcomeSchema as GoldenOutcomeSchema,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
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
  const { expectationOutcome, errorInfo, turnLatency } = result;
  const showing = (outcome: Pick<GoldenOutcome, "expectation" | "result">) => {
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
      {expectationOutcome.map((outcome, at) => {
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
      })}
      <TurnMetrics result={result} onShowAnswer={showing(ANSWER)} />
    </section>
  );
}

/** An outcome about the agent's words. */
const ANSWER = create(GoldenOutcomeSchema);

interface TurnMetricsProps {
  readonly result: TurnReplayResult;
  readonly onShowAnswer: (() => void) | undefined;
}

/** The metrics of the turn as a whole. */
function TurnMetrics({ result, onShowAnswer }: TurnMetricsProps) {
  const { semanticSimilarityResult: similarity, overallToolInvocationResult: invocation, hallucinationResult } = result;
  return (
    <>
      {similarity && (
        <OutcomeView
          state={verdictOf(similarity.outcome)}
          title={`Semantic similarity${scoreText(similarity.score, 4)}`}
          explanation={similarity.explanation}
          onShowSpan={onShowAnswer}
        />
      )}
      {invocation && (
        <OutcomeView
          state={verdictOf(invocation.outcome)}
          title={`Tool calls${scoreText(invocation.toolInvocationScore, 1)}`}
          explanation={orderText(result.toolOrderedInvocationScore)}
        />
      )}
      {hallucinationResult && (
        <OutcomeView
          state={hallucinationState(hallucinationResult.score)}
          title={`Hallucination: ${hallucinationResult.label || "no score"}`}
          explanation={hallucinationResult.explanation}
        />
      )}
    </>
  );
}

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
