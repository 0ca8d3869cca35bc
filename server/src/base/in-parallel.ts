/** Does the work for each item, at most `limit` at a time, in order. Stops taking items when one rejects or `signal` aborts, and rejects once the running ones have ended. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let failed = false;
  const workers = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of left) {
      if (failed) return;
      signal.throwIfAborted();
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const settled = await Promise.allSettled(workers);
  const rejected = settled.find(({ status }) => status === "rejected");
  if (rejected) throw (rejected as PromiseRejectedResult).reason;
}
