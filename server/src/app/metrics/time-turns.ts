import { type Clock, watchStream } from "#base";
import type { SessionEngine } from "#session";
import type { Metrics } from "./metrics.ts";

/** Counts the turns that run, and measures the duration of turns by outcome: `stored`, `refused` (the turn threw) or `abandoned` (its reader left before the end). */
export function timeTurns(
  engine: SessionEngine,
  { turnSeconds, turnsRunning }: Pick<Metrics, "turnSeconds" | "turnsRunning">,
  clock: Clock,
): SessionEngine {
  return {
    ...engine,
    runTurn(request) {
      const startedAt = clock.now();
      let stored: number | undefined;
      const begin = () => {
        turnsRunning.inc();
        return engine.runTurn(request);
      };
      return watchStream(begin, {
        onItem: (event) => {
          if (event.kind === "turn-completed") stored = clock.now();
        },
        onEnd: (end) => {
          turnsRunning.dec();
          const outcome = end.kind === "failed" ? "refused" : stored === undefined ? "abandoned" : "stored";
          // A clock that was set back meanwhile would make a sum smaller that only grows.
          turnSeconds.observe({ outcome }, Math.max(0, (stored ?? clock.now()) - startedAt) / 1_000);
        },
      });
    },
  };
}
