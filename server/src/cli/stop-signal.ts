/** Signals within this time are one, in milliseconds. */
const ONE_MS = 1_000;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Aborts at the first SIGINT or SIGTERM, and when the process is gone that started this one with a channel. Terminal and launcher both forward Ctrl-C, so a
 * second signal within a second is the same one; a later one ends the process without waiting for what is in flight.
 */
export function stopSignal(): AbortSignal {
  const { stop } = aborting();
  process.on("disconnect", () => stop.abort());
  // The listener alone would keep the process alive.
  process.channel?.unref();
  if (process.connected === false) stop.abort();
  return stop.signal;
}

/**
 * Calls `reread` at SIGHUP, which reloads and rotations send, where standard error is no terminal. In one it says that the terminal is gone, and stops as SIGTERM does: without
 * a listener it would end the process with turns in flight.
 */
export function onHangup(reread: () => void): void {
  // A terminal that is gone is none any more.
  const inTerminal = process.stderr.isTTY;
  process.on("SIGHUP", () => {
    if (inTerminal) process.kill(process.pid, "SIGTERM");
    else reread();
  });
}

/** A signal that aborts at SIGINT or SIGTERM, as of `stopSignal`, until it is disposed of. */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const { stop, end } = aborting();
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}

function aborting(): { readonly stop: AbortController; readonly end: () => void } {
  const stop = new AbortController();
  let first: number | undefined;
  const end = (): void => {
    first ??= performance.now();
    if (performance.now() - first > ONE_MS) process.exit(1);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { stop, end };
}
