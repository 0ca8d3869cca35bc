import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ConditionView, conditionLabel } from "./condition-view.tsx";
import type { Condition } from "./deciding-span.ts";
import type { ResultState } from "./verdict.ts";
import { VerdictBadge } from "./verdict-badge.tsx";
import "../../styles/evaluations.css";

interface OutcomeViewProps {
  readonly state: ResultState;
  readonly title: string;
  readonly explanation?: string;
  readonly children?: ReactNode;
  /** Shows the span that decided. */
  readonly onShowSpan?: (() => void) | undefined;
}

/** One check: its verdict, why, and what it is about. */
export function OutcomeView({ state, title, explanation, children, onShowSpan }: OutcomeViewProps) {
  return (
    <article className="outcome" data-verdict={state} aria-label={title}>
      <header>
        <VerdictBadge state={state} />
        <h3>{title}</h3>
        {onShowSpan && (
          <Button small tone="plain" onPress={onShowSpan}>
            Show span
          </Button>
        )}
      </header>
      {explanation && <p className="muted">{explanation}</p>}
      {children}
    </article>
  );
}

interface ExpectedObservedProps {
  readonly state: ResultState;
  readonly expected: Condition;
  readonly observed: Condition;
}

/** What was expected beside what was observed. */
export function ExpectedObserved({ state, expected, observed }: ExpectedObservedProps) {
  // That nothing was called has no message of its own: the verdict says whether it is so.
  const seen = expected.case === "noToolCalls" && state === "passed" ? expected : observed;
  return (
    <div className="expected-observed">
      <div>
        <h4>Expected</h4>
        <ConditionView condition={expected} missing="Nothing: no expectation is about it." />
      </div>
      <div>
        <h4>Observed</h4>
        <ConditionView condition={seen} missing={MISSING[conditionLabel(expected)] ?? "Nothing of the kind."} />
      </div>
    </div>
  );
}

const MISSING: Readonly<Record<string, string>> = {
  "Tool call": "Not called.",
  "Tool response": "No response.",
  "Agent response": "No response.",
  "Agent transfer": "No transfer.",
  "No tool calls": "A tool was called.",
};
