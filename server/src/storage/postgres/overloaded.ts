import { unavailable } from "#status";

/** A database that takes longer than this, in milliseconds, for one small statement is too slow for new turns (DB-16). */
export const SLOW_MS = 2_000;

/** The refusal of a turn while the database is slower than turns arrive, or than `SLOW_MS`. */
export function overloaded(): Error {
  return unavailable("The database is slower than turns arrive. Send the turn again a little later.", {
    reason: "STORAGE_OVERLOADED",
    retryMs: 1_000,
  });
}

/** The answer of the database, or a refusal when it takes too long: a turn that waits for a slow database helps nobody. `whenLate` gets an answer that comes later. */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  whenLate: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const refusal = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    refusal.reject(overloaded());
  }, SLOW_MS);
  answer.then(
    (late) => {
      if (isLate) whenLate(late);
    },
    () => {},
  );
  try {
    return await Promise.race([answer, refusal.promise]);
  } finally {
    clearTimeout(timer);
  }
}
