/** Where time comes from. Tests hand in one they can turn. */
export interface Clock {
  /** Wall time, milliseconds since the epoch; with a fraction where the machine knows it. */
  now(): number;
}

/** The machine's clock, with sub-millisecond steps that never run backwards within the process. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
};

/** Longest delay that a timer takes, milliseconds (24.8 days). A longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
