/** A job that this server has. */
export interface Job {
  /** What the job is about. */
  readonly key: string;
  /**
   * Puts the job back, because the work failed and may succeed later: a server gets it again after a pause, which doubles with each failure. Returns when, in
   * milliseconds since the epoch. The work then ends with `again`.
   */
  again(reason: string): Promise<number>;
}

/** What became of a job: it is over; it was put back; it failed for good, and is kept as a dead letter. */
export type JobEnd = "done" | "again" | "dead";

/** The jobs of one kind. At most one with the same key waits or runs. */
export interface JobQueue {
  /** Adds a job, which is due in `inMs` (default 0). False when its key has one. Durable when it resolves, where the jobs are those of a database. */
  add(key: string, inMs?: number): Promise<boolean>;
  /**
   * Adds a job unless one with this key was added within the same period of time, by any server: times are cut into periods of `everyMs`. Servers that add the same
   * at about the same time so add one.
   */
  addEvery(key: string, everyMs: number): Promise<void>;
  /** Takes a job out that waits, or a dead letter. False when there is none, also when a server has it. */
  remove(key: string): Promise<boolean>;
  /** Adds the job again that a server had which has ended, or was about to add, due in `inMs` (default 0). One that waits is left as it is. */
  restore(key: string, inMs?: number): Promise<void>;
}

/** How a queue is worked on. */
export interface QueueOptions {
  /** Small letters, digits and hyphens. */
  readonly name: string;
  /** Jobs that this server does at the same time. */
  readonly concurrency: number;
  /** The pause after the first failure, in milliseconds: it takes up to twice this, and each further one twice as long as the one before. */
  readonly firstPauseMs: number;
  /** The longest pause, in milliseconds. */
  readonly longestPauseMs: number;
  /** The work. What it throws is logged, and the job is put back. */
  readonly run: (job: Job) => Promise<JobEnd>;
}

/**
 * Queues of work (DB-55): over PostgreSQL those of pg-boss, which all servers of the database share, each job being done by one at a time; over SQLite those of
 * the process, which end with it.
 */
export interface JobQueues {
  /** Begins to work on a queue. Called once for each name. */
  open(options: QueueOptions): Promise<JobQueue>;
  /** Takes no further jobs; what runs goes on. */
  stop(): void;
}
