/** Lets the event loop serve what waits, and resolves after that: between parts of work that together would block it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds of work after which other calls run. */
const SLICE_MS = 20;

/**
 * Work of many short parts that lets other calls run between them: call it after each part. It resolves at once until the parts since the
 * last pause have taken 20 ms together.
 */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return yieldToEventLoop().then(() => {
      since = performance.now();
    });
  };
}

/** The results of asynchronous work on each item, in order. The work begins item by item, and other calls run in between. */
export async function mapWithPauses<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result> | Result,
): Promise<readonly Result[]> {
  const pause = createPauses();
  const begun: (Promise<Result> | Result)[] = [];
  for (const item of items) {
    const result = work(item);
    // It is awaited only when all have begun; a rejection before that must not end the process.
    if (result instanceof Promise) result.catch(() => {});
    begun.push(result);
    await pause();
  }
  return Promise.all(begun);
}
