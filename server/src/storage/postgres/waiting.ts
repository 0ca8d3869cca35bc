/** Milliseconds between two looks at the time. A server that was busy, or had no processor, between two of them waited for the database for twice as long at most. */
const LOOK_MS = 100;

/**
 * Calls `then` once this server could have read for so many milliseconds what it waits for. `isBegunAnew`: asked at each look; true: the wait begins anew. Returns what
 * ends the wait.
 */
export function afterWaiting(milliseconds: number, then: () => void, isBegunAnew = () => false): () => void {
  let last = performance.now();
  let waited = 0;
  const look = () => {
    const now = performance.now();
    waited = isBegunAnew() ? 0 : waited + Math.min(now - last, 2 * LOOK_MS);
    last = now;
    if (waited >= milliseconds) then();
    else timer = setTimeout(look, LOOK_MS).unref();
  };
  let timer = setTimeout(look, LOOK_MS).unref();
  return () => clearTimeout(timer);
}
