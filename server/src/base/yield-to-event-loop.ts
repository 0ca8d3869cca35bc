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
