import { CircleAlert, CornerUpLeft, RotateCw } from "lucide-react";
import { lazy, memo, Suspense, useMemo } from "react";
import { Banner } from "../../components/banner.tsx";
import { Bubble } from "../../components/bubble.tsx";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { type TurnFailure, turnFailures } from "../traces/turn-failures.ts";
import { FileView } from "./file-view.tsx";
import { InputView } from "./input-view.tsx";
import { Sources } from "./sources.tsx";
import type { Turn } from "./turn.ts";
import { inputText } from "./turn-input.ts";
import { type TurnLine, turnLines } from "./turn-lines.ts";
import { TurnStep } from "./turn-step.tsx";
import "../../styles/simulator/turns.css";

const Payload = lazy(() => import("./payloads/payload.tsx").then((payload) => ({ default: payload.Payload })));

/** What can be done with a turn. Absent actions are not offered: a stored conversation is read-only. */
export interface TurnActions {
  readonly onChoose?: (turn: Turn) => void;
  readonly onSendText?: (text: string) => void;
  readonly onRetry?: (turn: Turn) => void;
  readonly onEditText?: (text: string) => void;
}

interface TurnViewProps extends TurnActions {
  readonly turn: Turn;
  readonly chosen: boolean;
  /** Whether it is the newest: only there something may still be chosen or sent again. */
  readonly last?: boolean;
}

/** One turn: its input, steps and output. Selecting it shows its trace. */
export const TurnView = memo(function TurnView({ turn, chosen, last = false, onChoose, ...actions }: TurnViewProps) {
  const lines = turnLines(turn);
  const failures = useMemo(() => (turn.rootSpan ? turnFailures(turn.rootSpan) : []), [turn.rootSpan]);
  return (
    <article
      className={chosen ? "turn chosen" : "turn"}
      data-status={turn.status}
      data-failures={failures.length}
      aria-label={`Turn ${turn.index + 1}`}
    >
      <InputView input={turn.input} />
      {lines.map((line) => (
        <Line key={line.key} line={line} live={last && turn.status === "done"} onSendText={actions.onSendText} />
      ))}
      <Sources
        citations={turn.citations}
        suggestions={turn.suggestions}
        onSendText={last ? actions.onSendText : undefined}
      />
      {turn.status === "running" && lines.length === 0 && (
        <output className="dots" aria-label="The agent is thinking" />
      )}
      {isSilent(turn, lines) && <p className="muted">The agent answered nothing.</p>}
      {failures.length > 0 && <TurnFailures failures={failures} />}
      {turn.error && <FailedTurn turn={turn} last={last} {...actions} />}
      {onChoose && turn.status !== "failed" && (
        <button type="button" className="turn-choice" onClick={() => onChoose(turn)} aria-pressed={chosen}>
          {turn.status === "running" ? "Running…" : "Trace"}
          <span className="visually-hidden"> of turn {turn.index + 1}</span>
        </button>
      )}
    </article>
  );
});

/** Whether a turn came to its end, and the person has nothing of it. */
function isSilent({ status, calls, citations, ended }: Turn, lines: readonly TurnLine[]): boolean {
  // Of a step alone nobody can tell, because a widget is recorded as the call of its tool.
  const isQuiet = lines.every(({ kind }) => kind === "transfer" || kind === "variables");
  return status === "done" && isQuiet && calls.length === 0 && citations.length === 0 && !ended;
}

/** What did not run although the agent answered: the answer may be wrong without it. */
function TurnFailures({ failures }: { readonly failures: readonly TurnFailure[] }) {
  return (
    <ul className="turn-failures" aria-label="Failed in this turn">
      {failures.map(({ subject, text }) => (
        <li key={`${subject}${text}`}>
          <CircleAlert size={15} aria-hidden="true" />
          <span>
            {subject && <b>{subject}:</b>} {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Line({
  line,
  live,
  onSendText,
}: {
  readonly line: TurnLine;
  readonly live: boolean;
  readonly onSendText?: TurnActions["onSendText"];
}) {
  switch (line.kind) {
    case "text":
      return (
        <Bubble side="agent" name={line.role}>
          {line.text}
        </Bubble>
      );
    case "payload":
      return (
        <Suspense fallback={<Loading>Loading payload…</Loading>}>
          <Payload
            payload={line.payload}
            live={live && onSendText !== undefined}
            onSendText={(text) => onSendText?.(text)}
          />
        </Suspense>
      );
    case "file":
      return <FileView file={line.file} />;
    default:
      return <TurnStep line={line} />;
  }
}

function FailedTurn({
  turn,
  last,
  onRetry,
  onEditText,
}: { readonly turn: Turn; readonly last: boolean } & TurnActions) {
  const words = inputText(turn.input);
  return (
    <div className="stack tight">
      {turn.error && <Banner tone="error" error={turn.error} />}
      <div className="row wrap">
        {last && onRetry && (
          <Button small onPress={() => onRetry(turn)}>
            <RotateCw size={14} aria-hidden="true" /> Retry
          </Button>
        )}
        {words && onEditText && (
          <Button small onPress={() => onEditText(words)}>
            <CornerUpLeft size={14} aria-hidden="true" /> Edit message
          </Button>
        )}
      </div>
    </div>
  );
}
