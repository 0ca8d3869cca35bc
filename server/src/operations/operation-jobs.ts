import type { Clock, Logger } from "#base";
import { createLocalJobs, type Job, type JobEnd, type JobQueue, type JobQueues, type OperationRow } from "#storage";
import type { Attempts } from "./attempts.ts";
import type { ResumableKind } from "./contract.ts";

interface JobsDeps {
  /** The queues of all servers of the data. */
  readonly jobs: JobQueues;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly attempts: Attempts;
  /** Makes an attempt at an operation. */
  readonly run: (job: Job) => Promise<JobEnd>;
}

/** Operations that one server works on at the same time, and has as jobs: what is more waits, or goes to another server. */
const AT_ONCE = 20;
/** Milliseconds after which a job that waits is looked for. */
const TRUSTED_MS = 60_000;

/** The operations that can be begun again, as jobs (DB-15): any server does the work of most kinds, and the one that began it that of others. */
export class OperationJobs {
  readonly #deps: JobsDeps;
  #kinds: readonly ResumableKind[] = [];
  #shared: JobQueue | undefined;
  #local: JobQueue | undefined;
  readonly #localQueues: JobQueues;
  /** Operations of this server whose jobs are known to wait, and when that was known last, in milliseconds of `performance.now()`. */
  readonly #placed = new Map<string, number>();

  constructor(deps: JobsDeps) {
    this.#deps = deps;
    this.#localQueues = createLocalJobs(deps);
  }

  /** Begins to work on the kinds. Called again, it does nothing. */
  async open(kinds: readonly ResumableKind[]): Promise<void> {
    if (this.#shared || kinds.length === 0) return;
    this.#kinds = kinds;
    const { jobs, attempts, run } = this.#deps;
    const { firstPauseMs, longestPauseMs } = attempts;
    const options = { name: "operations", concurrency: AT_ONCE, run, firstPauseMs, longestPauseMs };
    this.#local = await this.#localQueues.open(options);
    this.#shared = await jobs.open(options);
  }

  /** The kind of an operation; undefined for one that cannot be begun again. */
  kindOf({ kind }: Pick<OperationRow, "kind">): ResumableKind | undefined {
    return this.#kinds.find((known) => known.kind === kind);
  }

  /** Adds the job of an operation, which is due in `inMs`. Does nothing when there is one. */
  async add({ name, kind }: OperationRow, inMs = 0): Promise<void> {
    // One that could not be added, or whose key has a job that is just over, is restored with the next look.
    this.noteTaken(name);
    if (await this.#queueOf(kind)?.add(name, inMs)) this.noteWaiting(name);
  }

  /** The job waits, as this server knows. */
  noteWaiting(name: string): void {
    this.#placed.set(name, performance.now());
  }

  /** The job is no longer one that waits. */
  noteTaken(name: string): void {
    this.#placed.delete(name);
  }

  /** Adds the job of an operation that is now this server's. False when it waits, as this server knows. */
  async restore({ name, kind, dueTime }: OperationRow): Promise<boolean> {
    const queue = this.#queueOf(kind);
    const inMs = dueTime === undefined ? 0 : Math.max(0, dueTime - this.#deps.clock.now());
    const placedAt = this.#placed.get(name);
    if (placedAt === undefined) await queue?.restore(name, inMs);
    else if (performance.now() - placedAt < TRUSTED_MS) return false;
    // Nothing happens while it has one. A backup that is older than its job has none.
    else await queue?.add(name, inMs);
    this.noteWaiting(name);
    return placedAt === undefined;
  }

  /** Forgets what it knows of other operations than these, which are all that this server has. */
  retainOnly(names: ReadonlySet<string>): void {
    for (const name of this.#placed.keys()) if (!names.has(name)) this.#placed.delete(name);
  }

  /** Takes out a job that waits, or its dead letter. False when there is none, also when some server has it. */
  async remove({ name, kind }: Pick<OperationRow, "name" | "kind">): Promise<boolean> {
    return (await this.#queueOf(kind)?.remove(name)) ?? false;
  }

  /** Takes no further jobs. */
  stop(): void {
    this.#localQueues.stop();
    this.#deps.jobs.stop();
  }

  #queueOf(kind: string): JobQueue | undefined {
    const known = this.kindOf({ kind });
    return known && (known.isLocal ? this.#local : this.#shared);
  }
}
