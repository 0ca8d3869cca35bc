import { Badge } from "../../components/badge.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import type { Turn } from "../simulator/turn.ts";
import { turnLines } from "../simulator/turn-lines.ts";
import { TurnView } from "../simulator/turn-view.tsx";
import { costOf, timeText } from "../traces/span-rows.ts";

interface RunColumnProps {
  readonly title: string;
  readonly turn: Turn;
  /** The run it is compared with. */
  readonly other?: Turn;
}

/** One run of the turn: its output, duration, calls and tokens. */
export function RunColumn({ title, turn, other }: RunColumnProps) {
  const cost = turn.rootSpan && costOf(turn.rootSpan);
  return (
    <section className="run" aria-label={title} data-status={turn.status}>
      <header>
        <h3>{title}</h3>
        {cost && (
          <p className="row wrap">
            <Badge>{timeText(cost.milliseconds)}</Badge>
            <Badge>
              {cost.modelCalls} model {cost.modelCalls === 1 ? "call" : "calls"}
            </Badge>
            <Badge>
              {cost.toolCalls} tool {cost.toolCalls === 1 ? "call" : "calls"}
            </Badge>
            {cost.inputTokens + cost.outputTokens > 0 && (
              <Badge>
                {cost.inputTokens} + {cost.outputTokens} tokens
              </Badge>
            )}
          </p>
        )}
      </header>
      <TurnView turn={turn} chosen={false} />
      {other && turn.status === "done" && (
        <details>
          <summary>Compare transcripts</summary>
          <DiffView before={saidIn(other)} after={saidIn(turn)} label="Transcripts of both runs" />
        </details>
      )}
    </section>
  );
}

function saidIn(turn: Turn): string {
  return turnLines(turn)
    .flatMap((line) => (line.kind === "text" ? [`${line.role}: ${line.text}`] : []))
    .join("\n");
}
