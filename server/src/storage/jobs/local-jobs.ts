import { type Clock, LONGEST_TIMER_MS, type Logger } from "#base";
import type { JobEnd, JobQueue, JobQueues, QueueOptions } from "./contract.ts";
import { pauseAfter } from "./pause.ts";

/** Creates the queues of one process (DB-55). Whoever adds a job that has to outlast the process adds it again after a start. */
export function createLocalJobs(deps: { readonly clock: Clock; readonly logger: Logger }): JobQueues {
  const queues: LocalQueue[] = [];
  return {
    open: async (options) => {
      const queue = new LocalQueue(options, deps);
      queues.push(queue);
      return queue;
    },
    stop: () => {
      for (const queue of queues) queue.stop();
    },
  };
}

/** A job as the process has it. */
interface LocalJob {
  readonly key: string;
  failures: number;
  /** Until it is due; undefined once it is ready or runs. */
  timer: NodeJS.Timeout | undefined;
  /** Whether its work has put it back, and is about to end. */
  isPutBack: boolean;
}

class LocalQueue implements JobQueue {
  readonly #options: QueueOptions;
  readonly #deps: { readonly clock: Clock; readonly logger: Logger };
  readonly #jobs = new Map<string, LocalJob>();
  /** Jobs that are due, in the order in which they became so. */
  readonly #ready = new Set<LocalJob>();
  #running = 0;
  #stopped = false;

  constructor(options: QueueOptions, deps: { readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
    this.#deps = deps;
  }

  async add(key: string, inMs = 0): Promise<boolean> {
    if (this.#jobs.has(key)) return false;
    const job: LocalJob = { key, failures: 0, timer: undefined, isPutBack: false };
    this.#jobs.set(key, job);
    this.#wait(job, inMs);
    return true;
  }

  async addEvery(key: string): Promise<void> {
    await this.add(key);
  }

  async remove(key: string): Promise<boolean> {
    const job = this.#jobs.get(key);
    const waits = job && (job.timer !== undefined || job.isPutBack || this.#ready.has(job));
    if (!waits) return false;
    clearTimeout(job.timer);
    this.#ready.delete(job);
    return this.#jobs.delete(key);
  }

  async restore(key: string, inMs?: number): Promise<void> {
    await this.add(key, inMs);
  }

  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#jobs.values()) clearTimeout(timer);
  }

  #wait(job: LocalJob, inMs: number): void {
    if (inMs <= 0) this.#begin(job);
    else if (!this.#stopped) job.timer = setTimeout(() => this.#begin(job), Math.min(inMs, LONGEST_TIMER_MS)).unref();
  }

  #begin(job: LocalJob): void {
    job.timer = undefined;
    this.#ready.add(job);
    this.#next();
  }

  #next(): void {
    const [job] = this.#ready;
    if (!job || this.#stopped || this.#running >= this.#options.concurrency) return;
    this.#ready.delete(job);
    this.#running += 1;
    void this.#run(job);
  }

  async #run(job: LocalJob): Promise<void> {
    let pauseMs = 0;
    const again = async () => {
      job.failures += 1;
      job.isPutBack = true;
      pauseMs = pauseAfter(job.failures, this.#options);
      return this.#deps.clock.now() + pauseMs;
    };
    const end = await this.#options.run({ key: job.key, again }).catch(async (err: unknown): Promise<JobEnd> => {
      this.#deps.logger.error({ err, queue: this.#options.name, key: job.key }, "a job failed");
      await again();
      return "again";
    });
    this.#running -= 1;
    job.isPutBack = false;
    const isTakenOut = this.#jobs.get(job.key) !== job;
    if (!isTakenOut && end === "again") this.#wait(job, pauseMs);
    else if (!isTakenOut) this.#jobs.delete(job.key);
    this.#next();
  }
}
