import { availableParallelism, loadavg } from "node:os";

/** So much counts as it passes, in all stretches together: most calls end sooner, and their processor time is never looked at. Milliseconds. */
const UNMEASURED_MS = 50;

/** Pause before the time that is left is looked at again, at least, milliseconds. */
const SHORTEST_PAUSE_MS = 10;

/** Where the times of processes are not known, one that gets a smaller share of the machine than one in this many may be ended too early. */
const LONGEST_STRETCH = 10;

/** Calls back when a process used the processor time that it was given, however long that takes while others want the processors too. */
export class CpuTimer {
  readonly #measure: () => number | undefined;
  readonly #onUsed: () => void;
  readonly #allowedMs: number;
  /** In the stretches that were stopped. */
  #usedMs = 0;
  #startedAt = 0;
  /** The process's time when the stretch began, once it was looked at. */
  #base: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `measure`: processor time of the process so far, milliseconds; undefined where it is not known. */
  constructor(allowedMs: number, measure: () => number | undefined, onUsed: () => void) {
    this.#allowedMs = allowedMs;
    this.#measure = measure;
    this.#onUsed = onUsed;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#base = this.#unmeasuredMs > 0 ? undefined : this.#measure();
    this.#lookIn(this.#unmeasuredMs || this.#allowedMs - this.#usedMs);
  }

  /** What the process uses from now on does not count, until the timer is started again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#usedMs += this.#used();
  }

  /** For good: nothing is measured any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const left = this.#allowedMs - this.#usedMs - this.#used();
    if (left <= 0) this.#onUsed();
    else this.#lookIn(left);
  }

  #lookIn(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), Math.max(ms, SHORTEST_PAUSE_MS));
  }

  /** How much may still pass before the process is looked at. */
  get #unmeasuredMs(): number {
    return Math.max(0, UNMEASURED_MS - this.#usedMs);
  }

  /** Since the timer was started, and no more than one thread can have used. */
  #used(): number {
    const passed = performance.now() - this.#startedAt;
    if (passed < this.#unmeasuredMs) return passed;
    const time = this.#measure();
    if (time === undefined) return passed / slowness();
    this.#base ??= time - this.#unmeasuredMs;
    return Math.min(passed, time - this.#base);
  }
}

/** Where more processes want to compute than there are processors, a guest uses its time as much slower. */
function slowness(): number {
  const [load = 0] = loadavg();
  return Math.min(LONGEST_STRETCH, Math.max(1, load / availableParallelism()));
}
