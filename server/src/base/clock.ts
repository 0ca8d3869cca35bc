/** The source of time. Tests inject their own. */
export interface Clock {
  /** Wall-clock time, milliseconds since the epoch, with a fraction. */
  now(): number;
}

/** What time is read from: the machine's clock in whole milliseconds, which may be set, and one that only runs. */
interface TimeSources {
  readonly wall: () => number;
  readonly running: () => number;
}

/** A difference below it is that of the sources' resolution, milliseconds. */
const SAME_MS = 20;

/** A machine's clock that went back by no more is waited for, so that time stands still; one that was set back further is followed at once, milliseconds. */
const LONGEST_WAIT_MS = 1_000;

/** A clock that follows the machine's when that one is set, or the machine was suspended. In between it has sub-millisecond steps that never run backwards. */
export function createSystemClock({ wall, running }: TimeSources): Clock {
  let offset = wall() - running();
  let latest = Number.NEGATIVE_INFINITY;

  /** What to add to the running source for the wall's time. A process that was held up between the two reads would take its pause for a difference. */
  function readOffset(): number {
    for (;;) {
      const before = running();
      const time = wall();
      if (running() - before < 1) return time - before;
    }
  }

  function follow(): void {
    const actual = readOffset();
    if (Math.abs(actual - offset) < SAME_MS) return;
    if (offset - actual > LONGEST_WAIT_MS) latest = Number.NEGATIVE_INFINITY;
    offset = actual;
  }

  return {
    now() {
      let time = running();
      if (Math.abs(wall() - time - offset) >= SAME_MS) {
        follow();
        time = running();
      }
      latest = Math.max(latest, time + offset);
      return latest;
    },
  };
}

/** The machine's clock. */
export const systemClock: Clock = createSystemClock({ wall: () => Date.now(), running: () => performance.now() });

/** Longest delay of a timer, milliseconds (24.8 days). A longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
