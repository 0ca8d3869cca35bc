import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, RefObject } from "react";
import type { Turn } from "./turn.ts";

interface VirtualTurnListProps {
  readonly turns: readonly Turn[];
  /** What scrolls. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly draw: (turn: Turn, at: number) => ReactNode;
}

/** Pixels of a turn before it was measured. */
const GUESS = 180;
/** Pixels between turns, as `.turns-body` has it. */
const GAP = 22;

/** A long conversation in a virtualized list: only the visible turns are rendered. */
export function VirtualTurnList({ turns, frame, draw }: VirtualTurnListProps) {
  const list = useVirtualizer({
    count: turns.length,
    getScrollElement: () => frame.current,
    estimateSize: () => GUESS,
    getItemKey: (at) => turns[at]?.index ?? at,
    overscan: 6,
    gap: GAP,
  });
  return (
    <div className="turns-height" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, key, start }) => {
        const turn = turns[index];
        return (
          turn && (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className="turn-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              {draw(turn, index)}
            </div>
          )
        );
      })}
    </div>
  );
}
