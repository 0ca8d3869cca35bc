import { setTimeout as pause } from "node:timers/promises";
import { type Clock, type Ids, type Logger, parseJson, writeJson } from "#base";
import type { Replica, ShortLivedStore } from "#storage";
import type { ToolOutcome } from "#tools";

/** Outcomes of asynchronous calls that any server of the data may report, this one after a restart, too (TOOL-39). */
export interface SharedOutcomes {
  /** This process. */
  readonly server: string;
  /** Stores an outcome, and tells servers that wait for it. Never rejects. */
  put(session: string, id: string, outcome: ToolOutcome): Promise<void>;
  /** How a call of a server ended; `running` while that server lives and has not told, `lost` when it is gone without. */
  outcomeOf(session: string, id: string, server: string): Promise<ToolOutcome | "running" | "lost">;
  /** The outcome was reported, or nobody needs it. Never rejects. */
  remove(session: string, id: string): Promise<void>;
  /** Called with each session of which another server has stored an outcome. */
  onPut(listener: (session: string) => void): void;
}

interface SharedOutcomesDeps {
  readonly store: ShortLivedStore;
  /** Undefined where one server has the data. */
  readonly replica: Pick<Replica, "id" | "isAlive"> | undefined;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
}

const KIND = "outcome";

/** Milliseconds that an outcome waits for a turn of its session. */
const KEPT_MS = 86_400_000;

/** How often, and with which pause, an outcome is stored that the database does not take. */
const [ATTEMPTS, PAUSE_MS] = [30, 1_000];

/** Outcomes in the database. */
export function createSharedOutcomes({ store, replica, ids, clock, logger }: SharedOutcomesDeps): SharedOutcomes {
  const server = replica?.id ?? ids.uuid();

  async function put(session: string, id: string, outcome: ToolOutcome): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const body = writeJson(outcome);
      try {
        return await store.put({ kind: KIND, key: keyOf(session, id), body, expireTime: clock.now() + KEPT_MS });
      } catch (error) {
        if (attempt < ATTEMPTS) await pause(PAUSE_MS, undefined, { ref: false });
        else return logger.error({ err: error, session }, "the outcome of an asynchronous call was not stored");
      }
    }
  }

  return {
    server,
    put,
    async outcomeOf(session, id, place) {
      // In this order: who ends after the first question has stored before the second. What runs here is not asked for.
      const lives = place !== server && replica !== undefined && (await replica.isAlive(place));
      const body = await store.get(KIND, keyOf(session, id));
      if (body === undefined) return lives ? "running" : "lost";
      // Only `put` writes the values.
      return parseJson(body) as unknown as ToolOutcome;
    },
    remove: (session, id) =>
      store
        .remove(KIND, keyOf(session, id))
        .catch((error: unknown) =>
          logger.warn({ err: error, session }, "an outcome that was reported was not removed"),
        ),
    onPut: (listener) => store.onPut(KIND, (key) => listener(key.slice(0, key.indexOf("#")))),
  };
}

const keyOf = (session: string, id: string) => `${session}#${id}`;
