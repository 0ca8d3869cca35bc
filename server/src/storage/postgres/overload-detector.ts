import type { Logger } from "#base";
import { unavailable } from "#status";
import { afterWaiting } from "./waiting.ts";

/** A small statement that takes longer than this, in milliseconds, is late (DB-16). */
const LATE_MS = 2_000;
/** Late statements without a write in time after them that show an overloaded database: one may have had to wait for something of its own. */
const ENOUGH = 2;

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
      const stop = afterWaiting(LATE_MS, () => {
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
  const stop = afterWaiting(LATE_MS, () => {
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
