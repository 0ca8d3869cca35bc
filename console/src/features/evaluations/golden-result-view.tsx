import type { Span } from "@frontdesk/protos/ces/common";
import type {
  EvaluationResult_GoldenResult as GoldenResult,
  EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
import { useState } from "react";
import { TracePanel } from "../traces/trace-panel.tsx";
import { decidingSpan } from "./deciding-span.ts";
import { ExpectationResults } from "./expectation-results.tsx";
import { GoldenTurnResult } from "./golden-turn-result.tsx";
import { useRecordedTurns } from "./use-recorded-turns.ts";
import { verdictOf } from "./verdict.ts";

/** The result of a golden turn by turn, beside the trace of one. At first it shows the span that decided the first check that failed. */
export function GoldenResultView({ app, result }: { readonly app: string; readonly result: GoldenResult }) {
  const { turnReplayResults: turns, evaluationExpectationResults } = result;
  const failed = turns.findIndex(({ expectationOutcome }) =>
    expectationOutcome.some(({ outcome }) => verdictOf(outcome) === "failed"),
  );
  const [shown, setShown] = useState<{ readonly index: number; readonly span: string | undefined }>({
    index: Math.max(failed, 0),
    span: undefined,
  });
  const recorded = useRecordedTurns(turns.map(({ conversation }) => conversation));
  const turn = recorded[shown.index];
  const span = shown.span ?? failedSpan(turns[shown.index], turn?.turn.rootSpan);
  return (
    <div className="result-panes">
      <div className="stack">
        {turns.map((each, index) => (
          <GoldenTurnResult
            // biome-ignore lint/suspicious/noArrayIndexKey: the turns of a result never change
            key={index}
            index={index}
            result={each}
            turn={recorded[index]?.turn}
            shown={index === shown.index}
            onShow={(span) => setShown({ index, span })}
          />
        ))}
        <ExpectationResults results={evaluationExpectationResults} />
      </div>
      <TracePanel
        key={`${shown.index} ${span} ${turn === undefined}`}
        app={app}
        turns={turn?.turns ?? []}
        turn={turn?.turn}
        span={span}
      />
    </div>
  );
}

/** The span that decided the first failed check of a turn; undefined where none failed. */
function failedSpan(result: TurnReplayResult | undefined, rootSpan: Span | undefined): string | undefined {
  const failed = result?.expectationOutcome.find(({ outcome }) => verdictOf(outcome) === "failed");
  return failed && rootSpan && decidingSpan(rootSpan, failed);
}
