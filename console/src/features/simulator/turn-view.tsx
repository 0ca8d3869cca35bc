import { CornerUpLeft, RotateCw } from "lucide-react";
import { lazy, memo, Suspense } from "react";
import { Banner } from "../../components/banner.tsx";
import { Bubble } from "../../components/bubble.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { FileView } from "./file-view.tsx";
import { InputView } from "./input-view.tsx";
import { Sources } from "./sources.tsx";
import { StepLine } from "./step-line.tsx";
import type { Turn } from "./turn.ts";
import { wordsOf } from "./turn-input.ts";
import { type TurnLine, turnLines } from "./turn-lines.ts";
import "../../styles/try/turns.css";

const Payload = lazy(() => import("./payloads/payload.tsx").then((payload) => ({ default: payload.Payload })));

/** What can be done with a turn. Absent deeds are not offered: a stored conversation is only looked at. */
export interface TurnDeeds {
  readonly onChoose?: (turn: Turn) => void;
  readonly onSay?: (text: string) => void;
  readonly onAgain?: (turn: Turn) => void;
  readonly onTakeBack?: (text: string) => void;
}

interface TurnViewProps extends TurnDeeds {
  readonly turn: Turn;
  readonly chosen: boolean;
  /** Whether it is the newest: only there something may still be chosen or sent again. */
  readonly last?: boolean;
}

/** One turn: what was said to the agent, what it did, what it said. Choosing it shows its trace. */
export const TurnView = memo(function TurnView({ turn, chosen, last = false, onChoose, ...deeds }: TurnViewProps) {
  const lines = turnLines(turn);
  return (
    <article
      className={chosen ? "turn chosen" : "turn"}
      data-status={turn.status}
      aria-label={`Turn ${turn.index + 1}`}
    >
      <InputView input={turn.input} />
      {lines.map((line) => (
        <Line key={line.key} line={line} live={last && turn.status === "done"} onSay={deeds.onSay} />
      ))}
      <Sources citations={turn.citations} suggestions={turn.suggestions} onSay={last ? deeds.onSay : undefined} />
      {turn.status === "running" && lines.length === 0 && (
        <output className="dots" aria-label="The agent is thinking" />
      )}
      {turn.refusal && <Refused turn={turn} last={last} {...deeds} />}
      {onChoose && turn.status !== "refused" && (
        <button type="button" className="turn-choice" onClick={() => onChoose(turn)} aria-pressed={chosen}>
          {turn.status === "running" ? "Running …" : "Trace"}
          <span className="visually-hidden"> of turn {turn.index + 1}</span>
        </button>
      )}
    </article>
  );
});

function Line({
  line,
  live,
  onSay,
}: {
  readonly line: TurnLine;
  readonly live: boolean;
  readonly onSay?: TurnDeeds["onSay"];
}) {
  switch (line.kind) {
    case "said":
      return (
        <Bubble side="agent" {...(line.role && { name: line.role })}>
          {line.text}
        </Bubble>
      );
    case "payload":
      return (
        <Suspense fallback={<Busy>Drawing what the agent shows</Busy>}>
          <Payload payload={line.payload} live={live && onSay !== undefined} onSay={(text) => onSay?.(text)} />
        </Suspense>
      );
    case "file":
      return <FileView file={line.file} />;
    default:
      return <StepLine line={line} />;
  }
}

function Refused({ turn, last, onAgain, onTakeBack }: { readonly turn: Turn; readonly last: boolean } & TurnDeeds) {
  const words = wordsOf(turn.input);
  return (
    <div className="stack tight">
      {turn.refusal && <Banner tone="bad" refusal={turn.refusal} />}
      <div className="row wrap">
        {last && onAgain && (
          <Button small onPress={() => onAgain(turn)}>
            <RotateCw size={14} aria-hidden="true" /> Send again
          </Button>
        )}
        {words && onTakeBack && (
          <Button small onPress={() => onTakeBack(words)}>
            <CornerUpLeft size={14} aria-hidden="true" /> Edit the text
          </Button>
        )}
      </div>
    </div>
  );
}
