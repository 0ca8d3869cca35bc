/** Lets the event loop serve what waits, and resolves after that: between parts of work that together would block it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
