import { useEffect, useRef } from "react";
import { Composer } from "./composer.tsx";
import { TurnView } from "./turn-view.tsx";
import type { Session } from "./use-session.ts";

interface ChatProps {
  readonly session: Session;
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

/** The conversation, newest turn at the bottom, and the line to type in. */
export function Chat({ session, chosen, onChoose }: ChatProps) {
  const end = useRef<HTMLDivElement>(null);
  const last = session.turns.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the last turn grew
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [last?.text, last?.status, session.turns.length]);
  return (
    <section className="chat" aria-label="Conversation">
      <div className="turns" role="log">
        {session.turns.map((turn) => (
          <TurnView key={turn.index} turn={turn} chosen={turn.index === chosen} onChoose={() => onChoose(turn.index)} />
        ))}
        {session.ended && <p className="ended">The session has ended.</p>}
        <div ref={end} />
      </div>
      <Composer
        disabled={session.running || session.ended}
        placeholder={
          session.ended
            ? "The session has ended. Start a new one above."
            : "Ask something, e.g. Where is my order A-1001?"
        }
        onSend={(text) => {
          onChoose(undefined);
          session.send({ kind: "text", text });
        }}
      />
    </section>
  );
}
