import { Bubble } from "../../components/bubble.tsx";
import { chunkLines } from "./chunk-lines.ts";
import type { Turn } from "./turn.ts";

interface TurnViewProps {
  readonly turn: Turn;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** One turn: what was said to the agent, what it did, what it said. Choosing it shows its trace. */
export function TurnView({ turn, chosen, onChoose }: TurnViewProps) {
  return (
    <article className={chosen ? "turn chosen" : "turn"} data-status={turn.status}>
      {turn.input.kind === "text" ? (
        <Bubble side="user">{turn.input.text}</Bubble>
      ) : (
        <p className="event">{turn.input.event}</p>
      )}
      {turn.messages.length > 0 ? <Recorded turn={turn} /> : <Streaming turn={turn} />}
      {turn.refusal && (
        <p className="refusal" role="alert">
          {turn.refusal.message} <code>{turn.refusal.code}</code>
        </p>
      )}
      <button type="button" className="quiet small" onClick={onChoose} aria-pressed={chosen}>
        {turn.status === "running" ? "running …" : "trace"}
      </button>
    </article>
  );
}

function Streaming({ turn }: { readonly turn: Turn }) {
  if (!turn.text)
    return turn.status === "running" ? <output className="dots" aria-label="The agent is thinking" /> : null;
  return <Bubble side="agent">{turn.text}</Bubble>;
}

function Recorded({ turn }: { readonly turn: Turn }) {
  return chunkLines(turn.messages).map((line) =>
    line.kind === "said" ? (
      <Bubble key={line.key} side="agent" name={line.role}>
        {line.text}
      </Bubble>
    ) : (
      <p key={line.key} className={`step ${line.kind}`} title={line.detail}>
        <b>{line.label}</b> <span>{line.detail}</span>
      </p>
    ),
  );
}
