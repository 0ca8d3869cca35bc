import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from "react";
import { Loading } from "../../components/loading.tsx";
import type { Turn } from "./turn.ts";
import { type TurnActions, TurnView } from "./turn-view.tsx";

const VirtualTurnList = lazy(() =>
  import("./virtual-turn-list.tsx").then((list) => ({ default: list.VirtualTurnList })),
);

interface TurnListProps extends TurnActions {
  readonly turns: readonly Turn[];
  readonly chosen: number | undefined;
  /** Content below the last turn. */
  readonly children?: ReactNode;
}

/** The most turns that are all rendered; of more, only the visible ones are. */
const FEW = 40;
/** The most turns that are all rendered while the virtualized list is loading. */
const MANY = 200;
/** Pixels from the end within which the list follows what is added. */
const NEAR = 160;

/** A conversation, newest turn at the bottom; thousands of turns stay quick. */
export function TurnList({ turns, chosen, children, ...actions }: TurnListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const near = useRef(true);
  const toEnd = useCallback(() => frame.current?.scrollTo({ top: frame.current.scrollHeight }), []);
  useEffect(() => {
    const observer = new ResizeObserver(() => near.current && toEnd());
    if (body.current) observer.observe(body.current);
    return () => observer.disconnect();
  }, [toEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn scrolls the list to its end
  useEffect(() => {
    near.current = true;
    toEnd();
  }, [turns.length, toEnd]);
  const draw = (turn: Turn, at: number) => (
    <TurnView turn={turn} chosen={turn.index === chosen} last={at === turns.length - 1} {...actions} />
  );
  const all = () => turns.map((turn, at) => <div key={turn.index}>{draw(turn, at)}</div>);
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
      <div className="turns-body" ref={body}>
        {turns.length <= FEW ? (
          all()
        ) : (
          <Suspense fallback={turns.length <= MANY ? all() : <Loading>Loading conversation…</Loading>}>
            <VirtualTurnList turns={turns} frame={frame} draw={draw} />
          </Suspense>
        )}
        {children}
      </div>
    </div>
  );
}
