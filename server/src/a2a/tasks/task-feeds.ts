import type { StreamResponse } from "@frontdesk/protos/a2a/a2a";
import { AsyncQueue } from "#base";
import { resourceExhausted } from "#status";

/** Most followers of one task, and of all tasks together (A2A-15). */
const MAX_FOLLOWERS = 100;
const MAX_ALL_FOLLOWERS = 10_000;
/** Most events that wait for one follower: one that reads slower than that is let go. */
const MAX_WAITING = 10_000;

/** One reader of a task's changes. */
export interface Follower extends AsyncIterable<StreamResponse> {
  /** Events so far are dropped: the reader has a task that includes them. */
  clear(): void;
  /** Whether events wait. */
  readonly isBehind: boolean;
  /** Version of the stored task that the reader knows, with what waits for it; infinite while that is not known. */
  version: number;
  stop(): void;
}

/** The changes of tasks, for whoever follows them: each follower gets the same events in the same order. */
export class TaskFeeds {
  readonly #followers = new Map<string, Set<QueuedFollower>>();
  #count = 0;

  follow(task: string): Follower {
    const followers = this.#followers.get(task) ?? new Set();
    if (followers.size >= MAX_FOLLOWERS || this.#count >= MAX_ALL_FOLLOWERS) {
      throw resourceExhausted(`The task has ${followers.size} subscribers; the limit is ${MAX_FOLLOWERS}.`, {
        reason: "TOO_MANY_SUBSCRIBERS",
      });
    }
    const follower = new QueuedFollower(() => this.#leave(task, follower));
    this.#followers.set(task, followers.add(follower));
    this.#count += 1;
    return follower;
  }

  publish(task: string, event: StreamResponse): void {
    for (const follower of this.#followers.get(task) ?? []) follower.push(event);
  }

  /** Tasks that are followed. */
  followed(): Iterable<string> {
    return this.#followers.keys();
  }

  /** This server has stored a version, of which its followers are told. */
  stored(task: string, version: number): void {
    for (const follower of this.#followers.get(task) ?? []) follower.version = version;
  }

  /** Whether a follower knows an earlier version only. */
  isBehind(task: string, version: number): boolean {
    return [...(this.#followers.get(task) ?? [])].some((follower) => follower.version < version);
  }

  /** Another server has stored a version: tells it to those that know an earlier one only. */
  tell(task: string, version: number, events: readonly StreamResponse[]): void {
    for (const follower of this.#followers.get(task) ?? []) {
      if (follower.version >= version) continue;
      follower.version = version;
      for (const event of events) follower.push(event);
    }
  }

  /** The task has ended: its followers get what waits for them, then the end. */
  end(task: string): void {
    for (const follower of this.#followers.get(task) ?? []) follower.end();
  }

  /** Ends everything: the server stops. */
  close(): void {
    for (const task of this.#followers.keys()) this.end(task);
  }

  #leave(task: string, follower: QueuedFollower): void {
    const followers = this.#followers.get(task);
    if (!followers?.delete(follower)) return;
    this.#count -= 1;
    if (followers.size === 0) this.#followers.delete(task);
  }
}

class QueuedFollower implements Follower {
  #queue: AsyncQueue<StreamResponse>;
  version = Number.POSITIVE_INFINITY;
  #waiting = 0;
  readonly #onStop: () => void;

  constructor(onStop: () => void) {
    this.#onStop = onStop;
    this.#queue = new AsyncQueue(onStop);
  }

  get isBehind(): boolean {
    return this.#waiting > 0;
  }

  push(event: StreamResponse): void {
    this.#waiting += 1;
    if (this.#waiting <= MAX_WAITING) this.#queue.push(event);
    else this.#letGo();
  }

  #letGo(): void {
    this.#queue.fail(
      resourceExhausted(`The stream was read too slowly: ${MAX_WAITING} events wait. Get the task instead.`, {
        reason: "SUBSCRIBER_TOO_SLOW",
      }),
    );
    this.#onStop();
  }

  end(): void {
    this.#queue.end();
    this.#onStop();
  }

  clear(): void {
    this.#queue = new AsyncQueue(this.#onStop);
    this.#waiting = 0;
  }

  stop(): void {
    this.#queue.end();
    this.#onStop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamResponse, void> {
    for await (const event of this.#queue) {
      this.#waiting -= 1;
      yield event;
    }
  }
}
