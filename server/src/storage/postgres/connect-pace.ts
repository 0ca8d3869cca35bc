import { within } from "./within.ts";

/** Keeps a server from asking for connections faster than a database that refuses them can bear. */
export interface ConnectPace {
  /**
   * Connects. For a moment after an attempt has failed others fail with the same error; then one is made, whose outcome the others wait for, a second at most: they fail, or
   * connect themselves.
   */
  enter(connect: () => Promise<unknown>): Promise<void>;
  /** Notes what failed elsewhere as if an attempt had: the next one finds out, and others wait for it no longer than a moment. */
  fail(error: unknown): void;
}

/** Milliseconds after a failed attempt until the next. */
const PAUSE_MS = 250;
/** Milliseconds that others wait for the outcome of an attempt after one that failed: a network that answers nothing lets it take as long as it may. */
const WAIT_MS = 1_000;

/** Creates the pace of a pool. */
export function createConnectPace(): ConnectPace {
  let failed: { readonly error: unknown; readonly until: number } | undefined;
  let trial: Promise<void> | undefined;

  async function attempt(connect: () => Promise<unknown>): Promise<void> {
    try {
      await connect();
      failed = undefined;
    } catch (error) {
      failed = { error, until: performance.now() + PAUSE_MS };
      throw error;
    }
  }

  async function enter(connect: () => Promise<unknown>): Promise<void> {
    if (trial) await outcomeOf(trial);
    else if (failed) {
      if (performance.now() < failed.until) throw failed.error;
      trial = attempt(connect).finally(() => {
        trial = undefined;
      });
      return trial;
    }
    return attempt(connect);
  }

  /** Rejects with what has failed before where the outcome takes too long, unless a connection was made meanwhile. */
  async function outcomeOf(pending: Promise<void>): Promise<void> {
    let isLate = false;
    await within(WAIT_MS, pending, () => {
      isLate = true;
    }).catch((error: unknown) => {
      if (!isLate) throw error;
      if (failed) throw failed.error;
    });
  }

  return {
    enter,
    fail: (error) => {
      failed = { error, until: performance.now() };
    },
  };
}
