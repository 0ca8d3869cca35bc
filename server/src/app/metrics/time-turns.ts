import { type Clock, watchStream } from "#base";
import type { SessionEngine } from "#session";
import type { Metrics } from "./metrics.ts";

/** Measures the duration of turns by outcome: `stored`, `refused` (the turn threw) or `abandoned` (its reader left before the end). */
export function timeTurns(
  engine: SessionEngine,
  { turnSeconds }: Pick<Metrics, "turnSeconds">,
  clock: Clock,
): SessionEngine {
  return {
    ...engine,
    runTurn(request) {
      const startedAt = clock.now();
      let stored: number | undefined;
      return watchStream(() => engine.runTurn(request), {
        onItem: (event) => {
          if (event.kind === "turn-completed") stored = clock.now();
        },
        onEnd: (end) => {
          const outcome = end.kind === "failed" ? "refused" : stored === undefined ? "abandoned" : "stored";
          turnSeconds.observe({ outcome }, ((stored ?? clock.now()) - startedAt) / 1_000);
        },
      });
    },
  };
}
