/** Runs at most `limit` pieces of work at a time; the others wait in order. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot goes directly to the next in the queue, so that no new work can overtake it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
