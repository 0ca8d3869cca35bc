import { createPauses } from "#base";

/** Runs at most `limit` pieces of work at a time; the others wait in order. Calls of other people run in between. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  // Two stacks are a queue that many thousands may wait in: taking the first of an array moves all others.
  let arriving: (() => void)[] = [];
  let leaving: (() => void)[] = [];
  let free = limit;
  const pause = createPauses();
  const next = (): (() => void) | undefined => {
    if (leaving.length === 0) [leaving, arriving] = [arriving.reverse(), []];
    return leaving.pop();
  };
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => arriving.push(resolve));
    try {
      await pause();
      return await work();
    } finally {
      // The slot goes directly to the next in the queue, so that no new work can overtake it.
      const first = next();
      if (first) first();
      else free += 1;
    }
  };
}
