import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { DateTime } from "../../components/date-time.tsx";
import { usePrinting } from "../../components/use-printing.ts";
import type { Turn } from "../simulator/turn.ts";
import { TurnView } from "../simulator/turn-view.tsx";

interface RecordedTurnListProps {
  readonly turns: readonly Turn[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** A guess; each turn is measured when it is rendered. */
const USUAL_HEIGHT = 190;

/** The turns of a conversation, virtualized: only the visible ones are rendered. */
export function RecordedTurnList({ turns, chosen, onChoose }: RecordedTurnListProps) {
  const printing = usePrinting();
  const frame = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: turns.length,
    getScrollElement: () => frame.current,
    estimateSize: () => USUAL_HEIGHT,
    overscan: 6,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list
  useEffect(() => list.scrollToIndex(chosen, { align: "auto" }), [chosen]);
  const draw = (index: number) => {
    const turn = turns[index];
    return (
      turn && (
        <>
          <p className="turn-number muted">
            Turn {index + 1} · <DateTime time={turn.rootSpan?.startTime} seconds />
          </p>
          <TurnView turn={turn} chosen={index === chosen} onChoose={() => onChoose(index)} />
        </>
      )
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="recorded-turns" aria-label="Turns" ref={frame} tabIndex={0}>
      {printing ? (
        turns.map((turn, index) => (
          <div key={turn.index} className="recorded-turn">
            {draw(index)}
          </div>
        ))
      ) : (
        <div style={{ height: list.getTotalSize(), position: "relative" }}>
          {list.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={list.measureElement}
              data-index={index}
              className="recorded-turn"
              style={{ transform: `translateY(${start}px)` }}
            >
              {draw(index)}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
