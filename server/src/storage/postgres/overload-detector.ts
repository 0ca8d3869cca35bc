import type { Logger } from "#base";
import { unavailable } from "#status";

/** A small statement that takes longer than this, in milliseconds, is late (DB-16). */
const LATE_MS = 2_000;
/** Late statements without a write in time after them that show an overloaded database: one may have had to wait for something of its own. */
const ENOUGH = 2;
/** Milliseconds between two looks at the time. A server that was busy, or had no processor, between two of them waited for the database for twice as long at most. */
const LOOK_MS = 100;

/** Knows whether the database is too slow for new turns, by the small statements that a server runs anyway (DB-16). */
export interface OverloadDetector {
  /** Follows a statement, whoever waits for it. Writes show that the database is fast enough, reads do not: they wait for no disk. */
  follow<Answer>(kind: "read" | "write", statement: Promise<Answer>): Promise<Answer>;
  /**
   * The answer to a statement that a turn waits for. While the database is overloaded it is refused at once, but for one at a time, by which the server finds
   * out; else it is refused when it is late: a turn that waits for a slow database helps nobody. `whenLate` gets an answer that comes later.
   */
  ask<Answer>(statement: () => Promise<Answer>, whenLate?: (answer: Answer) => void): Promise<Answer>;
}

/** Creates the detector of a server. */
export function createOverloadDetector(logger: Logger): OverloadDetector {
  let late = 0;
  let isTrying = false;

  function isLate(): void {
    late += 1;
    if (late === ENOUGH) logger.warn("the database is too slow for new turns");
  }

  function isInTime(): void {
    if (late >= ENOUGH) logger.info("the database is fast enough for turns again");
    late = 0;
  }

  return {
    async follow(kind, statement) {
      let inTime = true;
      const stop = afterWaiting(() => {
        inTime = false;
        isLate();
      });
      try {
        return await statement;
      } finally {
        stop();
        if (inTime && kind === "write") isInTime();
      }
    },
    async ask(statement, whenLate) {
      const isTrial = late >= ENOUGH;
      if (isTrial && isTrying) throw overloaded();
      if (isTrial) isTrying = true;
      try {
        return await unlessLate(statement(), whenLate);
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}

/** The refusal of a turn while the database is slower than turns arrive, or too slow for any. */
export function overloaded(): Error {
  return unavailable("The database is slower than turns arrive. Send the turn again a little later.", {
    reason: "STORAGE_OVERLOADED",
  });
}

async function unlessLate<Answer>(
  answer: Promise<Answer>,
  whenLate: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const refusal = Promise.withResolvers<never>();
  let isLate = false;
  const stop = afterWaiting(() => {
    isLate = true;
    refusal.reject(overloaded());
  });
  answer.then(
    (given) => {
      if (isLate) whenLate(given);
    },
    () => {},
  );
  try {
    return await Promise.race([answer, refusal.promise]);
  } finally {
    stop();
  }
}

/** Calls when an answer would be late: in `LATE_MS` during which this server could have read it. Returns what ends the wait. */
function afterWaiting(then: () => void): () => void {
  let last = performance.now();
  let waited = 0;
  const look = () => {
    const now = performance.now();
    waited += Math.min(now - last, 2 * LOOK_MS);
    last = now;
    if (waited >= LATE_MS) then();
    else timer = setTimeout(look, LOOK_MS).unref();
  };
  let timer = setTimeout(look, LOOK_MS).unref();
  return () => clearTimeout(timer);
}
