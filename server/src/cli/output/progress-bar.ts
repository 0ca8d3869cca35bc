/** A line that shows how far a run is. */
interface Progress {
  readonly update: (done: number, total: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const WIDTH = 30;

/** Where progress is shown. */
type Shown = Pick<NodeJS.WriteStream, "isTTY" | "write"> & { readonly columns?: number };

/** A progress bar on a terminal; nothing anywhere else. */
export function showProgress(output: Shown): Progress {
  if (!output.isTTY) return { update: () => {}, end: () => {} };
  return {
    update: (done, total) => {
      const text = ` ${done} of ${total}`;
      // A line that a narrow terminal breaks would stay where it is with each new one.
      const width = Math.max(0, Math.min(WIDTH, (output.columns ?? Number.POSITIVE_INFINITY) - text.length - 1));
      const filled = Math.round((width * done) / Math.max(1, total));
      output.write(`\r${"█".repeat(filled)}${"░".repeat(width - filled)}${text}\u001b[K`);
    },
    end: () => void output.write("\r\u001b[K"),
  };
}

/** A line that says what goes on and for how long, on a terminal; nothing anywhere else. */
export function showElapsed(what: string, output: Shown): Pick<Progress, "end"> {
  if (!output.isTTY) return { end: () => {} };
  const start = performance.now();
  const tick = () => output.write(`\r${what} … ${Math.round((performance.now() - start) / 1_000)} s\u001b[K`);
  const timer = setInterval(tick, 1_000);
  return {
    end: () => {
      clearInterval(timer);
      output.write("\r\u001b[K");
    },
  };
}

/** How often a bar asks how far the work is, in milliseconds. */
const ASKED_EACH_MS = 2_000;

/** A progress bar of work elsewhere, on a terminal. `ask`: how much is done, of how much; where it fails, the bar stays as it is. */
export function showAsked(
  ask: () => Promise<readonly [done: number, total: number]>,
  output: Shown,
  eachMs = ASKED_EACH_MS,
): Pick<Progress, "end"> {
  if (!output.isTTY) return { end: () => {} };
  const progress = showProgress(output);
  let ended = false;
  const tick = async () => {
    const [done, total] = await ask().catch(() => [0, 0] as const);
    if (!ended && total > 0) progress.update(done, total);
  };
  const timer = setInterval(() => void tick(), eachMs);
  return {
    end: () => {
      ended = true;
      clearInterval(timer);
      progress.end();
    },
  };
}
