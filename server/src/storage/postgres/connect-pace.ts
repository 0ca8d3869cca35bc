/** Keeps a server from asking for connections faster than a database that refuses them can bear. */
export interface ConnectPace {
  /**
   * Connects. For a moment after an attempt has failed others fail with the same error; then one is made, whose outcome the others wait for: they fail with it, or connect
   * themselves.
   */
  enter(connect: () => Promise<unknown>): Promise<void>;
}

/** Milliseconds after a failed attempt until the next. */
const PAUSE_MS = 250;

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
    if (trial) await trial;
    else if (failed) {
      if (performance.now() < failed.until) throw failed.error;
      trial = attempt(connect).finally(() => {
        trial = undefined;
      });
      return trial;
    }
    return attempt(connect);
  }

  return { enter };
}
