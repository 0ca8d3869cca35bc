/** The source of time. Tests inject their own. */
export interface Clock {
  /** Wall-clock time, milliseconds since the epoch, with a fraction. */
  now(): number;
}

/** The machine's clock, with sub-millisecond steps that never run backwards within the process. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
};

/** Longest delay of a timer, milliseconds (24.8 days). A longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
