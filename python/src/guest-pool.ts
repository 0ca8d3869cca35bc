import { CallQueue } from "./call-queue.ts";
import type { Logger } from "./contract.ts";
import { GuestSet, type Member, newMember } from "./guest-set.ts";
import type { Guest, GuestCall, GuestEvents, GuestResult } from "./process/guest.ts";
import { TenantShares } from "./tenant-shares.ts";

/** A guest that served a turn is put back to its image after this many idle milliseconds: the turn's next call is often near. */
const RESTORE_DELAY_MS = 5;

/**
 * A guest whose memory grew by so many bytes is replaced, because memory that was once used is never given back: by the
 * larger number at once, by the smaller when it was idle for a while and another took its place.
 */
const RECYCLE_BYTES = 44 << 20;
const GROWN_BYTES = 6 << 20;
const GROWN_IDLE_MS = 1_000;

/** A guest is replaced after this many calls, against what a JavaScript engine collects over time. */
const RECYCLE_CALLS = 200_000;

/** A guest beyond those that always stand ready ends after this many idle milliseconds; one beyond `maxGuests` sooner. */
const IDLE_MS = 600_000;
const SURPLUS_IDLE_MS = 10_000;

const RESTART_DELAY_MS = 1_000;

/** Guests that stand ready: one for the next call, one for when that one is killed. */
const READY_GUESTS = 2;

/** Where there is to be one guest only, a call that takes longer than so many milliseconds has another stand ready. */
const LONG_CALL_MS = 100;

/**
 * Calls of one tenant that may wait for a guest, and the bytes of their requests. For a call that a run waits for there are
 * as many places again, so that calls from outside do not take them.
 */
const WAITING_CALLS = 256;
const WAITING_BYTES = 64 << 20;

export interface PoolOptions {
  /** Starts a guest; rejects when it cannot be started. */
  readonly start: (events: GuestEvents) => Promise<Guest>;
  /** Guests that may compute at the same time. */
  readonly maxGuests: number;
  /** Guests that there may be, computing, waiting for the host or idle: what the memory budget allows. */
  readonly maxMembers: number;
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
  timer?: NodeJS.Timeout;
}

/**
 * Serves calls with a few guests. A guest serves one call at a time; before a call of another turn its image is restored,
 * always. A call that another run waits for (same turn, its guest waiting for the host) is served before others and does
 * not count against its tenant's share, because the waiting run holds a guest until it is served
 * (PY-36, PY-35).
 */
export class GuestPool {
  readonly #options: PoolOptions;
  readonly #members = new GuestSet();
  readonly #queue = new CallQueue<Waiter>();
  readonly #shares: TenantShares;
  #starting = 0;
  #uses = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#shares = new TenantShares(options.maxGuests);
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
      const member = this.#mayStart(waiter) ? this.#members.choose(booking.turn) : undefined;
      if (member) this.#serve(member, waiter);
      else this.#enqueue(waiter);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let waiter = this.#queue.take(); waiter; waiter = this.#queue.take()) settle(waiter, cancelled());
    for (const member of this.#members.all()) this.#discard(member, "the server is shutting down");
  }

  #mayStart({ tenant, turn }: Waiter): boolean {
    return this.#shares.mayStart(tenant) || this.#members.isAwaited(turn);
  }

  #enqueue(waiter: Waiter): void {
    const line = this.#queue.lineOf(waiter.tenant);
    const bytes = line.reduce((sum, { call }) => sum + call.frame.length, waiter.call.frame.length);
    const places = this.#members.isAwaited(waiter.turn) ? 2 : 1;
    const limit = places * WAITING_CALLS;
    if (line.length >= limit || bytes > places * WAITING_BYTES) {
      waiter.resolve(exhausted(`${line.length} Python calls of the app wait already; the limit is ${limit} calls`));
      return;
    }
    this.#queue.add(waiter);
    const { signal } = waiter.call;
    signal?.addEventListener("abort", () => this.#giveUp(waiter, cancelled()), { once: true });
    this.#limitWaiting(waiter);
    this.#growForQueue();
  }

  /** A call waits for a guest as long as it may run; while there is no guest at all (the image is built) it just waits. */
  #limitWaiting(waiter: Waiter): void {
    const { wallMs } = waiter.call;
    waiter.timer = setTimeout(() => {
      if (this.#members.size === 0) this.#limitWaiting(waiter);
      else this.#giveUp(waiter, exhausted(`no Python guest became free within ${wallMs} ms`));
    }, wallMs);
  }

  #giveUp(waiter: Waiter, result: GuestResult): void {
    if (this.#queue.remove(waiter)) settle(waiter, result);
  }

  /** Starts a guest for each call that may start and finds none, as far as the memory budget goes. */
  #growForQueue(): void {
    for (let missing = this.#wanted() - this.#starting; missing > 0 && this.#hasRoom(); missing--)
      this.#growInBackground();
    if (!this.#hasRoom()) this.#breakDeadlock();
  }

  #hasRoom(): boolean {
    return this.#members.size + this.#starting < this.#options.maxMembers;
  }

  /** Waiting calls that a guest of their own would help now. */
  #wanted(): number {
    const computing = this.#members.all().filter((member) => member.busy && !member.waiting).length;
    let free = Math.max(0, this.#options.maxGuests - computing);
    let wanted = 0;
    for (const tenant of this.#queue.tenants()) {
      const line = this.#queue.lineOf(tenant);
      const awaited = line.filter(({ turn }) => this.#members.isAwaited(turn)).length;
      const others = this.#shares.mayStart(tenant) ? Math.min(line.length - awaited, Math.max(1, free)) : 0;
      free = Math.max(0, free - others);
      wanted += awaited + others;
    }
    return wanted;
  }

  /** When every guest waits for a call that waits for a guest, one of those calls is refused: its caller goes on. */
  #breakDeadlock(): void {
    const members = this.#members.all();
    const turns = new Set(members.map(({ busy }) => busy?.turn));
    const stuck = (member: Member) => member.waiting && this.#queue.find(({ turn }) => turn === member.busy?.turn);
    if (this.#starting > 0 || members.length === 0 || !members.every(stuck)) return;
    const waiter = this.#queue.takeMatching(({ turn }) => turns.has(turn));
    if (waiter) settle(waiter, exhausted(`all ${members.length} Python guests wait for calls inside their own calls`));
  }

  #serve(member: Member, waiter: Waiter): void {
    clearTimeout(member.timer);
    const { tenant, turn, call } = waiter;
    const restoreFirst = member.turn !== undefined && member.turn !== turn;
    member.busy = { tenant, turn };
    member.turn = turn;
    member.calls += 1;
    member.lastUse = ++this.#uses;
    this.#shares.began(tenant);
    this.#keepSpare(member);
    void member.guest.call(call, restoreFirst).then((result) => {
      this.#finish(member, tenant, result);
      settle(waiter, result);
      this.#release(member, result);
    });
  }

  #finish(member: Member, tenant: string, { ending }: GuestResult): void {
    if (!member.waiting) this.#shares.paused(tenant);
    clearTimeout(member.timer);
    member.busy = undefined;
    member.waiting = false;
    const pauseMs = this.#shares.ended(tenant, ending === "timeout");
    if (pauseMs > 0) setTimeout(() => this.#serveQueued(), pauseMs + 1).unref();
  }

  #release(member: Member, { ending }: GuestResult): void {
    const { guest } = member;
    if (!guest.alive || guest.grownBytes > RECYCLE_BYTES || member.calls >= RECYCLE_CALLS) {
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
      (turn !== undefined && this.#queue.takeMatching((waiter) => waiter.turn === turn && this.#mayStart(waiter))) ||
      this.#queue.takeMatching((waiter) => this.#members.isAwaited(waiter.turn)) ||
      this.#queue.take((tenant) => this.#shares.mayStart(tenant));
    if (next) this.#serve(member, next);
    else member.timer = setTimeout(() => this.#settleDown(member), RESTORE_DELAY_MS);
  }

  /** After something other than a guest became free: a pause ended, a computing call began to wait. */
  #serveQueued(): void {
    for (let member = this.#members.choose(); member && this.#queue.size > 0; member = this.#members.choose()) {
      clearTimeout(member.timer);
      this.#offer(member);
      if (!member.busy) break;
    }
    if (this.#queue.size > 0) this.#growForQueue();
  }

  #settleDown(member: Member): void {
    if (member.turn !== undefined) this.#restore(member);
    const grown = member.guest.grownBytes > GROWN_BYTES;
    const surplus = this.#members.size > this.#options.maxGuests;
    member.timer = grown
      ? setTimeout(() => void this.#renew(member), GROWN_IDLE_MS)
      : setTimeout(
          () => this.#members.size > this.#ready && this.#discard(member, "it was idle"),
          surplus ? SURPLUS_IDLE_MS : IDLE_MS,
        );
    member.timer.unref();
  }

  /** Replaces an idle guest whose memory grew; another starts first where no other would stand ready. */
  async #renew(member: Member): Promise<void> {
    if (this.#members.size <= this.#ready && this.#hasRoom()) {
      await this.#grow().catch((error: unknown) => this.#failQueued(error));
    }
    const isLeft = this.#members.has(member) && !this.#closed && !member.busy;
    if (isLeft) this.#discard(member, "its memory grew");
  }

  get #ready(): number {
    return Math.min(READY_GUESTS, this.#options.maxGuests);
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

  /** Starts guests until enough stand ready, and what waiting calls need when their guest is gone. */
  #refill(): void {
    if (this.#closed) return;
    const missing = this.#ready - this.#members.size - this.#starting;
    if (missing > 0) this.#growInBackground();
    if (this.#queue.size > 0) this.#growForQueue();
  }

  /** While all guests work, one more stands ready: for a tenant that comes now, and in place of one that is killed. */
  #keepSpare(member: Member): void {
    if (this.#options.maxGuests >= READY_GUESTS) this.#growSpare();
    else member.timer = setTimeout(() => this.#growSpare(), LONG_CALL_MS);
  }

  #growSpare(): void {
    const isUsual = this.#members.size + this.#starting <= this.#options.maxGuests;
    if (isUsual && this.#hasRoom() && !this.#members.choose()) this.#growInBackground();
  }

  #growInBackground(): void {
    void this.#grow().catch((error: unknown) => this.#failQueued(error));
  }

  async #grow(): Promise<void> {
    this.#starting += 1;
    const holder: { member?: Member } = {};
    try {
      const guest = await this.#options.start({
        onWaiting: (waiting) => this.#note(holder.member, waiting),
        onEnd: (reason) => this.#lost(holder.member, reason),
      });
      this.#starting -= 1;
      holder.member = newMember(guest);
      this.#join(holder.member);
    } catch (error) {
      this.#starting -= 1;
      throw error;
    }
  }

  #join(member: Member): void {
    if (this.#closed) {
      member.guest.kill("cancelled", "the server is shutting down");
      return;
    }
    this.#members.add(member);
    this.#offer(member);
  }

  /** A guest that begins to wait for the host frees its processor: somebody else may start. */
  #note(member: Member | undefined, waiting: boolean): void {
    if (!member?.busy || member.waiting === waiting) return;
    member.waiting = waiting;
    if (waiting) this.#shares.paused(member.busy.tenant);
    else this.#shares.began(member.busy.tenant);
    if (waiting && this.#queue.size > 0) this.#serveQueued();
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
      settle(waiter, { ending: "crashed", body, output: [] });
    }
  }
}

function settle(waiter: Waiter, result: GuestResult): void {
  clearTimeout(waiter.timer);
  waiter.resolve(result);
}

function cancelled(): GuestResult {
  return { ending: "cancelled", body: "the call was cancelled", output: [] };
}

function exhausted(body: string): GuestResult {
  return { ending: "exhausted", body, output: [] };
}
