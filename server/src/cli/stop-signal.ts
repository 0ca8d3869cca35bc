/** Signals within this time are one, in milliseconds. */
const ONE_MS = 1_000;

/**
 * Aborts at the first SIGINT or SIGTERM, and when the process is gone that started this one with a channel. Terminal and launcher both forward Ctrl-C, so a
 * second signal within a second is the same one; a later one ends the process without waiting for what is in flight.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let first: number | undefined;
  const end = (): void => {
    first ??= performance.now();
    if (performance.now() - first > ONE_MS) process.exit(1);
    stop.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  process.on("disconnect", () => stop.abort());
  // The listener alone would keep the process alive.
  process.channel?.unref();
  if (process.connected === false) stop.abort();
  return stop.signal;
}
