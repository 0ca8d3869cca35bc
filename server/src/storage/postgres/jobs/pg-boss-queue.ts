import type { JobAttempt, PgBoss } from "pg-boss";
import { LONGEST_TIMER_MS, type Logger } from "#base";
import { StorageError } from "../../errors.ts";
import type { JobEnd, JobQueue, QueueOptions } from "../../jobs/contract.ts";
import { pauseAfter } from "../../jobs/pause.ts";
import type { Outages } from "../outages.ts";

interface QueueDeps {
  readonly outages: Outages;
  readonly logger: Logger;
  /** Tells the other servers that the queue has jobs that this one has no room for. */
  readonly tell: (queue: string) => Promise<void>;
}

/** Where jobs are kept that failed for good, whatever their queue. */
export const DEAD_LETTERS = "dead-letters";

/** Milliseconds between two looks at a queue of which nobody said anything: a server learns of its own jobs, and of others when their server is full. */
const LOOK_MS = 30_000;
/** Milliseconds between two signs of life for the jobs that run. */
const TOUCH_MS = 20_000;
/** Milliseconds between two messages to the other servers, at least. */
const TELL_MS = 1_000;
/** Milliseconds after the time of a job at which it is looked for: clocks of servers and of the database differ by up to five seconds (DB-9). */
const LATE_MS = [10, 1_000, 5_000];

interface Data {
  readonly key: string;
}

/** A queue of pg-boss, as one server works on it. */
export class PgBossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #options: QueueOptions;
  readonly #deps: QueueDeps;
  readonly #running = new Map<string, JobAttempt>();
  /** When jobs are due that this server knows of. */
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #intervals: readonly NodeJS.Timeout[];
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  /** Whether there may be a job that became due here, and that this server has no room for. */
  #isUntold = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #telling: NodeJS.Timeout | undefined;
  /** What is being stored of jobs that ended. */
  readonly #settling = new Set<Promise<void>>();
  #stopped = false;

  constructor(boss: PgBoss, options: QueueOptions, deps: QueueDeps) {
    this.#boss = boss;
    this.#options = options;
    this.#deps = deps;
    this.#intervals = [
      setInterval(() => this.wake(), LOOK_MS * (1 + Math.random() / 5)).unref(),
      setInterval(() => void this.#touch(), TOUCH_MS).unref(),
    ];
  }

  /** Looks for jobs that are due. */
  wake(): void {
    if (this.#stopped) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#deps.outages.report(error, "a queue of jobs could not be read"))
      .finally(() => {
        this.#looking = undefined;
        // Somebody may have asked since the look saw that nobody had.
        if (this.#lookAgain) this.wake();
      });
  }

  /** Takes no further jobs. Resolves when the last look has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const [looks] = this.#intervals;
    clearInterval(looks);
    await this.#looking;
  }

  /** No sign of life any more for what still runs. Resolves when it is stored what ended before. */
  async close(): Promise<void> {
    for (const interval of this.#intervals) clearInterval(interval);
    clearTimeout(this.#telling);
    await Promise.all(this.#settling);
  }

  async add(key: string, inMs = 0): Promise<boolean> {
    const startAfter = Math.max(0, inMs) / 1000;
    const id = await this.#boss.send(this.#options.name, { key } satisfies Data, { singletonKey: key, startAfter });
    if (id === null) return false;
    this.#wakeIn(inMs);
    return true;
  }

  async addEvery(key: string, everyMs: number): Promise<void> {
    const once = { singletonKey: key, singletonSeconds: Math.max(1, Math.round(everyMs / 1000)) };
    if (await this.#boss.send(this.#options.name, { key } satisfies Data, once)) this.#wakeIn(0);
  }

  async remove(key: string): Promise<boolean> {
    const waiting = await this.#boss.findJobs<Data>(this.#options.name, { key, queued: true });
    const dead = await this.#boss.findJobs<Data>(DEAD_LETTERS, { key: this.#deadKey(key) });
    const ids = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id);
    if (waiting.length > 0) await this.#boss.deleteJob(this.#options.name, ids(waiting));
    if (dead.length > 0) await this.#boss.deleteJob(DEAD_LETTERS, ids(dead));
    return waiting.length + dead.length > 0;
  }

  async restore(key: string, inMs?: number): Promise<void> {
    const jobs = await this.#boss.findJobs<Data>(this.#options.name, { key });
    const waiting = jobs.find(({ state }) => state === "created" || state === "retry");
    if (waiting) return this.#wakeWhenDue(waiting.startAfter.getTime());
    const taken = jobs.filter(({ state }) => state === "active");
    if (taken.length > 0) await this.#boss.deleteJob(this.#options.name, taken);
    await this.add(key, inMs);
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#stopped) {
      this.#lookAgain = false;
      const room = this.#options.concurrency - this.#running.size;
      if (room <= 0) {
        if (this.#isUntold) this.#tell();
        this.#isUntold = false;
        return;
      }
      const jobs = await this.#boss.fetch<Data>(this.#options.name, { batchSize: room });
      if (jobs.length < room && !this.#lookAgain) this.#isUntold = false;
      else this.#lookAgain ||= this.#isUntold;
      for (const job of jobs) void this.#run(job.data.key, job);
    }
  }

  async #run(key: string, { id, retryCount }: JobAttempt): Promise<void> {
    const attempt = { id, retryCount };
    this.#running.set(id, attempt);
    const again = (reason: string) => this.#putBack(key, attempt, reason);
    try {
      const end = await this.#options.run({ key, again }).catch((error: unknown) => this.#failed(key, again, error));
      const settling = this.#settle(key, attempt, end);
      const settled = settling.catch(() => {}).finally(() => this.#settling.delete(settled));
      this.#settling.add(settled);
      await settling;
    } catch (error) {
      // It waits again once this server has been silent about it for long enough.
      this.#deps.outages.report(error, "a job that ended could not be stored");
    }
    this.#running.delete(id);
    this.wake();
  }

  async #failed(key: string, again: (reason: string) => Promise<number>, err: unknown): Promise<JobEnd> {
    // The log has an outage of the database once.
    if (isOutage(err)) this.#deps.outages.report(err, "a job failed");
    else this.#deps.logger.error({ err, queue: this.#options.name, key }, "a job failed");
    await again(String(err));
    return "again";
  }

  /** Settles this attempt alone: another server may have the next one. */
  async #settle(key: string, attempt: JobAttempt, end: JobEnd): Promise<void> {
    const { name } = this.#options;
    if (end === "again") return;
    if (end === "dead") await this.#boss.send(DEAD_LETTERS, { queue: name, key }, { singletonKey: this.#deadKey(key) });
    await this.#boss.complete(name, attempt);
  }

  async #putBack(key: string, attempt: JobAttempt, message: string): Promise<number> {
    const { name } = this.#options;
    await this.#boss.fail(name, attempt, { message });
    const [job] = await this.#boss.findJobs<Data>(name, { id: attempt.id });
    if (!job) return this.#addAgain(key);
    const due = job.startAfter.getTime();
    this.#wakeWhenDue(due);
    return due;
  }

  /** The job is gone, as where another server released it or a backup is older: unless its key has one, it gets one. */
  async #addAgain(key: string): Promise<number> {
    const pauseMs = pauseAfter(1, this.#options);
    await this.add(key, pauseMs);
    return Date.now() + pauseMs;
  }

  #wakeIn(inMs: number): void {
    if (inMs <= 0) {
      this.#isUntold = true;
      this.wake();
      if (this.#stopped) this.#tell();
      return;
    }
    this.#wakeWhenDue(Date.now() + inMs);
  }

  /** Looks when a job is due, in milliseconds since the epoch, and when it is due by a clock that is behind this one. */
  #wakeWhenDue(due: number): void {
    const inMs = Math.max(0, due - Date.now());
    for (const lateMs of LATE_MS) this.#wakeAfter(inMs + lateMs);
  }

  #wakeAfter(inMs: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#isUntold = true;
        this.wake();
      },
      Math.min(inMs, LONGEST_TIMER_MS),
    ).unref();
    this.#timers.add(timer);
  }

  #tell(): void {
    this.#telling ??= setTimeout(
      () => {
        this.#telling = undefined;
        this.#toldAt = performance.now();
        this.#deps
          .tell(this.#options.name)
          .catch((error: unknown) => this.#deps.outages.report(error, "other servers could not be asked to take jobs"));
      },
      Math.max(0, this.#toldAt + TELL_MS - performance.now()),
    ).unref();
  }

  async #touch(): Promise<void> {
    if (this.#running.size === 0) return;
    await this.#boss
      .touch(this.#options.name, [...this.#running.values()])
      .catch((error: unknown) => this.#deps.outages.report(error, "the jobs of this server could not be kept"));
  }

  #deadKey(key: string): string {
    return `${this.#options.name}/${key}`;
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof StorageError || (error instanceof Error && error.cause instanceof StorageError);
}
