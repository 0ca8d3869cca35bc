import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import type { Turn } from "./turn.ts";
import { type TurnDeeds, TurnView } from "./turn-view.tsx";

interface TurnListProps extends TurnDeeds {
  readonly turns: readonly Turn[];
  readonly chosen: number | undefined;
  /** What stands below the last turn. */
  readonly children?: ReactNode;
}

/** Pixels of a turn before it was measured. */
const GUESS = 180;
/** Pixels from the end within which the list follows what is added. */
const NEAR = 160;

/** A conversation, newest turn at the bottom. Only what is on screen is drawn, so thousands of turns stay quick. */
export function TurnList({ turns, chosen, children, ...deeds }: TurnListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const near = useRef(true);
  const list = useVirtualizer({
    count: turns.length,
    getScrollElement: () => frame.current,
    estimateSize: () => GUESS,
    getItemKey: (at) => turns[at]?.index ?? at,
    overscan: 6,
    gap: 22,
  });
  const last = turns.at(-1);
  const height = list.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows whatever makes the end move
  useEffect(() => {
    if (near.current) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [height, last?.streamed, last?.status, children]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn is looked at wherever the list stood
  useEffect(() => {
    near.current = true;
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [turns.length]);
  return (
    <div
      ref={frame}
      className="turns"
      role="log"
      aria-label="Turns"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        near.current = scrollHeight - scrollTop - clientHeight < NEAR;
      }}
    >
      <div className="turns-height" style={{ height }}>
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
                <TurnView turn={turn} chosen={turn.index === chosen} last={index === turns.length - 1} {...deeds} />
              </div>
            )
          );
        })}
      </div>
      {children}
    </div>
  );
}
