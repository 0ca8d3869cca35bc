import type { Logger } from "#base";
import { CallQueue } from "./call-queue.ts";
import type { Guest, GuestCall, GuestEvents, GuestResult } from "./process/guest.ts";

/** A guest that served a turn is put back to its image after this many idle milliseconds: the turn's next call is often near. */
const RESTORE_DELAY_MS = 5;

/** A guest whose memory grew beyond this is replaced: putting back and holding it costs too much. */
const RECYCLE_BYTES = 64 << 20;

/** A guest is replaced after this many calls, against what a JavaScript engine collects over time. */
const RECYCLE_CALLS = 10_000;

/** A guest beyond the two that always stand ready ends after this many idle milliseconds. */
const IDLE_MS = 600_000;

const RESTART_DELAY_MS = 1_000;

/** Guests whose code waits for the host use no processor, so there may be this many times more of them. */
const WAITING_FACTOR = 4;

/** Guests that stand ready: one for the next call, one for when that one is killed. */
const READY_GUESTS = 2;

export interface PoolOptions {
  /** Starts a guest; rejects when it cannot be started. */
  readonly start: (events: GuestEvents) => Promise<Guest>;
  /** Guests that may compute at the same time. */
  readonly maxGuests: number;
  readonly logger: Logger;
}

/** Who a call belongs to. `turn` is unique among all tenants. */
export interface Booking {
  readonly tenant: string;
  readonly turn: string;
}

interface Waiter extends Booking {
  readonly call: GuestCall;
  readonly resolve: (result: GuestResult) => void;
}

/** A guest in the pool. `turn` names whose traces are in its memory; undefined means none since the last restore. */
interface Member {
  readonly guest: Guest;
  turn: string | undefined;
  busy: string | undefined;
  waiting: boolean;
  calls: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Serves calls with a few guests. A guest serves one call at a time; before a call of another turn its image is restored,
 * always. A call that another run waits for (same turn, its guest waiting for the host) gets an extra guest rather than a
 * place in the queue, because the waiting run holds a guest until it is served (reference: python-sandbox 7.5).
 */
export class GuestPool {
  readonly #options: PoolOptions;
  readonly #members = new Set<Member>();
  readonly #queue = new CallQueue<Waiter>();
  #starting = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Starts the guests that stand ready. Never rejects: calls that wait meanwhile are told when the first does not start. */
  async prewarm(): Promise<void> {
    try {
      await this.#grow();
      this.#refill();
    } catch (error) {
      this.#failQueued(error);
    }
  }

  /** Runs one call on some guest. Never rejects: a guest that cannot be had is a result too. */
  run(booking: Booking, call: GuestCall): Promise<GuestResult> {
    return new Promise((resolve) => {
      const waiter: Waiter = { ...booking, call, resolve };
      if (this.#closed || call.signal?.aborted) return resolve(cancelled());
      const member = this.#choose(booking.turn);
      if (member) this.#serve(member, waiter);
      else this.#enqueue(waiter);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let waiter = this.#queue.take(); waiter; waiter = this.#queue.take()) waiter.resolve(cancelled());
    for (const member of [...this.#members]) this.#discard(member, "the server is shutting down");
  }

  /** The turn's own guest, else one that is clean, else any that is free. */
  #choose(turn: string): Member | undefined {
    let clean: Member | undefined;
    let dirty: Member | undefined;
    for (const member of this.#members) {
      if (member.busy !== undefined) continue;
      if (member.turn === turn) return member;
      if (member.turn === undefined) clean ??= member;
      else dirty ??= member;
    }
    return clean ?? dirty;
  }

  #enqueue(waiter: Waiter): void {
    this.#queue.add(waiter);
    const { signal } = waiter.call;
    signal?.addEventListener("abort", () => this.#queue.remove(waiter) && waiter.resolve(cancelled()), { once: true });
    this.#growForQueue();
  }

  /** Starts a guest for a call that another run waits for, in any case; for others while processors are free. */
  #growForQueue(): void {
    const { maxGuests } = this.#options;
    const waiting = [...this.#members].filter((member) => member.waiting).length;
    const all = this.#members.size + this.#starting;
    const isNeeded = this.#queue.count((waiter) => this.#isAwaited(waiter)) > this.#starting;
    const isWanted = this.#queue.size > this.#starting;
    const hasRoom = all - waiting < maxGuests && all < maxGuests * WAITING_FACTOR;
    if (isNeeded || (isWanted && hasRoom)) this.#growInBackground();
  }

  #serve(member: Member, waiter: Waiter): void {
    clearTimeout(member.timer);
    const restoreFirst = member.turn !== undefined && member.turn !== waiter.turn;
    member.busy = member.turn = waiter.turn;
    member.calls += 1;
    void member.guest.call(waiter.call, restoreFirst).then((result) => {
      member.busy = undefined;
      member.waiting = false;
      waiter.resolve(result);
      this.#release(member, result);
    });
  }

  #release(member: Member, { ending }: GuestResult): void {
    const { guest } = member;
    if (!guest.alive || guest.memoryBytes > RECYCLE_BYTES || member.calls >= RECYCLE_CALLS) {
      this.#discard(member, "it was used up");
      return;
    }
    // After a run that was cut off the interpreter is in no state to be called: not even by its own turn.
    if (ending !== "answered") this.#restore(member);
    this.#offer(member);
  }

  /** Gives a free guest its next call: one of the turn it just served, one that another run waits for, or the next in line. */
  #offer(member: Member): void {
    const { turn } = member;
    const next =
      (turn !== undefined && this.#queue.takeMatching((waiter) => waiter.turn === turn)) ||
      this.#queue.takeMatching((waiter) => this.#isAwaited(waiter)) ||
      this.#queue.take();
    if (next) this.#serve(member, next);
    else member.timer = setTimeout(() => this.#settleDown(member), RESTORE_DELAY_MS);
  }

  #isAwaited({ turn }: Waiter): boolean {
    for (const member of this.#members) if (member.waiting && member.busy === turn) return true;
    return false;
  }

  #settleDown(member: Member): void {
    if (member.turn !== undefined) this.#restore(member);
    const surplus = this.#members.size > this.#options.maxGuests;
    member.timer = setTimeout(
      () => this.#members.size > READY_GUESTS && this.#discard(member, "it was idle"),
      surplus ? IDLE_MS / 60 : IDLE_MS,
    );
    member.timer.unref();
  }

  #restore(member: Member): void {
    member.guest.restore();
    member.turn = undefined;
  }

  #discard(member: Member, reason: string): void {
    clearTimeout(member.timer);
    this.#members.delete(member);
    member.guest.kill("cancelled", reason);
    this.#refill();
  }

  /** Starts guests until enough stand ready, and one more while calls wait for a guest that is gone. */
  #refill(): void {
    if (this.#closed) return;
    const wanted = Math.min(READY_GUESTS, this.#options.maxGuests);
    const missing = wanted - this.#members.size - this.#starting;
    const isStuck = this.#queue.size > 0 && this.#members.size + this.#starting === 0;
    if (missing > 0 || isStuck) this.#growInBackground();
  }

  #growInBackground(): void {
    void this.#grow().catch((error: unknown) => this.#failQueued(error));
  }

  async #grow(): Promise<void> {
    this.#starting += 1;
    const member: { current?: Member } = {};
    try {
      const guest = await this.#options.start({
        onWaiting: (waiting) => this.#note(member.current, waiting),
        onEnd: (reason) => this.#lost(member.current, reason),
      });
      this.#starting -= 1;
      this.#join({ guest, turn: undefined, busy: undefined, waiting: false, calls: 0, timer: undefined }, member);
    } catch (error) {
      this.#starting -= 1;
      throw error;
    }
  }

  #join(member: Member, holder: { current?: Member }): void {
    holder.current = member;
    if (this.#closed) {
      member.guest.kill("cancelled", "the server is shutting down");
      return;
    }
    this.#members.add(member);
    this.#offer(member);
  }

  /** A guest that begins to wait for the host frees its processor: somebody else may start. */
  #note(member: Member | undefined, waiting: boolean): void {
    if (!member) return;
    member.waiting = waiting;
    if (waiting && this.#queue.size > 0) this.#growForQueue();
  }

  /** A guest that died before it served anything would die again: its successor is not hurried. */
  #lost(member: Member | undefined, reason: string): void {
    if (!member || !this.#members.delete(member) || this.#closed) return;
    clearTimeout(member.timer);
    this.#options.logger.warn({ reason }, "a Python guest ended");
    if (member.calls > 0) this.#refill();
    else setTimeout(() => this.#refill(), RESTART_DELAY_MS).unref();
  }

  /** Without any guest, waiting calls cannot be served: they fail with the reason instead of waiting for ever. */
  #failQueued(error: unknown): void {
    if (this.#closed) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#options.logger.error({ error: message }, "a Python guest could not be started");
    if (this.#members.size + this.#starting > 0) return;
    const body = `the Python sandbox is not available: ${message}`;
    for (let waiter = this.#queue.take(); waiter; waiter = this.#queue.take()) {
      waiter.resolve({ ending: "crashed", body, output: [] });
    }
  }
}

function cancelled(): GuestResult {
  return { ending: "cancelled", body: "the call was cancelled", output: [] };
}
