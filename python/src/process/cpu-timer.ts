import { availableParallelism, loadavg } from "node:os";

/** Most calls end sooner, and their processor time is never looked at. Milliseconds. */
const FIRST_LOOK_MS = 50;

/** Pause before the time that is left is looked at again, at least, milliseconds. */
const SHORTEST_PAUSE_MS = 10;

/** Where the times of processes are not known, one that gets a smaller share of the machine than one in this many may be ended too early. */
const LONGEST_STRETCH = 10;

/** Calls back when a process used the processor time that it was given, however long that takes while others want the processors too. */
export class CpuTimer {
  readonly #measure: () => number | undefined;
  readonly #onUsed: () => void;
  #leftMs: number;
  #startedAt = 0;
  /** The process's time when the timer was started, once it was looked at. */
  #base: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `measure`: processor time of the process so far, milliseconds; undefined where it is not known. */
  constructor(allowedMs: number, measure: () => number | undefined, onUsed: () => void) {
    this.#leftMs = allowedMs;
    this.#measure = measure;
    this.#onUsed = onUsed;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#base = undefined;
    this.#timer = setTimeout(() => this.#look(), Math.min(FIRST_LOOK_MS, this.#leftMs));
  }

  /** What the process uses from now on does not count, until the timer is started again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= this.#used();
  }

  /** For good: nothing is measured any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const left = this.#leftMs - this.#used();
    if (left <= 0) this.#onUsed();
    else this.#timer = setTimeout(() => this.#look(), Math.max(left, SHORTEST_PAUSE_MS));
  }

  /** Since the timer was started, and no more than one thread can have used; until the first look as much as that. */
  #used(): number {
    const passed = performance.now() - this.#startedAt;
    if (passed < FIRST_LOOK_MS) return passed;
    const time = this.#measure();
    if (time === undefined) return passed / slowness();
    this.#base ??= time - FIRST_LOOK_MS;
    return Math.min(passed, time - this.#base);
  }
}

/** Where more processes want to compute than there are processors, a guest uses its time as much slower. */
function slowness(): number {
  const [load = 0] = loadavg();
  return Math.min(LONGEST_STRETCH, Math.max(1, load / availableParallelism()));
}
