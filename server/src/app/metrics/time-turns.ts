import type { Clock } from "#base";
import type { SessionEngine } from "#session";
import type { Metrics } from "./metrics.ts";

/** An engine whose turns are timed: `stored`, `refused` (the turn threw) or `abandoned` (its reader went away before the end). */
export function timeTurns(
  engine: SessionEngine,
  { turnSeconds }: Pick<Metrics, "turnSeconds">,
  clock: Clock,
): SessionEngine {
  return {
    ...engine,
    async *runTurn(request) {
      const startedAt = clock.now();
      let outcome = "abandoned";
      let endedAt: number | undefined;
      try {
        for await (const event of engine.runTurn(request)) {
          if (event.kind === "turn-completed") {
            outcome = "stored";
            endedAt = clock.now();
          }
          yield event;
        }
      } catch (error) {
        outcome = "refused";
        throw error;
      } finally {
        turnSeconds.observe({ outcome }, ((endedAt ?? clock.now()) - startedAt) / 1_000);
      }
    },
  };
}
