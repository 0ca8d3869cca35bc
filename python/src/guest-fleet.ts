import type { Logger } from "./contract.ts";
import type { Guest, GuestEvents, GuestResult } from "./process/guest.ts";

/** A guest whose memory was written to is restored after this many idle milliseconds: the group's next call is often near. */
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

/** A guest of the fleet. `group` names whose traces are in its memory; undefined means none since the last restore. */
export interface Member {
  readonly guest: Guest;
  group: string | undefined;
  /** The group and the tenant that it serves now. */
  busy: { readonly group: string; readonly tenant: string } | undefined;
  /** Its code waits for the host. */
  waiting: boolean;
  calls: number;
  /** Rises with each call in the fleet: tells which guest was used last. */
  lastUse: number;
  timer: NodeJS.Timeout | undefined;
}

export interface FleetOptions {
  /** Starts a guest; rejects when it cannot be started. */
  readonly start: (events: GuestEvents) => Promise<Guest>;
  /** Guests that may compute at the same time. */
  readonly maxGuests: number;
  /** Guests that there may be, computing, waiting for the host or idle: what the memory budget allows. */
  readonly maxMembers: number;
  readonly logger: Logger;
}

/** What whoever gives the guests their calls has to know. */
interface FleetEvents {
  /** A guest started, and may be given a call. */
  onStarted(member: Member): void;
  /** The code that a guest runs began to wait for the host, or went on. */
  onWaiting(member: Member, waiting: boolean): void;
  /** A guest is gone and others are started as far as some always stand ready: waiting calls may need one more. */
  onGone(): void;
  /** A guest could not be started, and there is none. */
  onUnavailable(error: Error): void;
}

/** The guests of a pool: starts them ahead, restores them, replaces those that are used up, and ends those that are idle. */
export class GuestFleet {
  readonly #options: FleetOptions;
  readonly #events: FleetEvents;
  readonly #members = new Set<Member>();
  #starting = 0;
  #uses = 0;
  #closed = false;

  constructor(options: FleetOptions, events: FleetEvents) {
    this.#options = options;
    this.#events = events;
  }

  get size(): number {
    return this.#members.size;
  }

  /** How many are being started. */
  get starting(): number {
    return this.#starting;
  }

  get hasRoom(): boolean {
    return this.#members.size + this.#starting < this.#options.maxMembers;
  }

  all(): Member[] {
    return [...this.#members];
  }

  /**
   * A free guest for a call of this group: the group's own, else a clean one, else any. Among equals the one that was used
   * last, because the processor and the engine still have it at hand.
   */
  choose(group?: string): Member | undefined {
    let best: Member | undefined;
    let bestRank = -1;
    for (const member of this.#members) {
      if (member.busy !== undefined) continue;
      const rank = member.group === undefined ? 1 : member.group === group ? 2 : 0;
      if (rank > bestRank || (rank === bestRank && member.lastUse > (best?.lastUse ?? 0)))
        [best, bestRank] = [member, rank];
    }
    return best;
  }

  /** Whether some guest serves a run of this group that waits for the host: a further call of the group may be what it waits for. */
  isAwaited(group: string): boolean {
    for (const member of this.#members) if (member.waiting && member.busy?.group === group) return true;
    return false;
  }

  /** Starts the guests that stand ready. Never rejects. */
  async prewarm(): Promise<void> {
    try {
      await this.#start();
      this.#refill();
    } catch (error) {
      this.#fail(error);
    }
  }

  startInBackground(): void {
    void this.#start().catch((error: unknown) => this.#fail(error));
  }

  /** A guest gets a call. Returns whether its memory has to be restored before it. */
  begin(member: Member, tenant: string, group: string): boolean {
    clearTimeout(member.timer);
    const restoreFirst = member.group !== undefined && member.group !== group;
    member.busy = { tenant, group };
    member.group = group;
    member.calls += 1;
    member.lastUse = ++this.#uses;
    this.#keepSpare(member);
    return restoreFirst;
  }

  has(member: Member): boolean {
    return this.#members.has(member);
  }

  /**
   * A guest's call ended. Undefined: the guest may be given another, or is gone. Otherwise it is cleared away what the call left
   * (a guest that was used up, a memory that takes long to restore), and the promise tells when; it never rejects.
   */
  end(member: Member, ending: GuestResult["ending"]): Promise<void> | undefined {
    clearTimeout(member.timer);
    member.waiting = false;
    const { guest } = member;
    if (!guest.alive && ending === "cancelled") return this.#discard(member, "its call was cancelled");
    if (!guest.alive || guest.grownBytes > RECYCLE_BYTES || member.calls >= RECYCLE_CALLS)
      return this.#exchange(member);
    // After a run that was cut off the interpreter is in no state to be called: not even by its own group.
    if (ending !== "answered" || guest.grownBytes > GROWN_BYTES) return this.#restoreNow(member);
    member.busy = undefined;
    return undefined;
  }

  /** Puts a guest in the place of one that is used up, where there would be fewer than usual. */
  async #exchange(member: Member): Promise<void> {
    this.#remove(member, "it was used up");
    const isUsual = this.#members.size + this.#starting <= this.#options.maxGuests;
    if (isUsual && this.hasRoom && !this.#closed) await this.#start().catch((error: unknown) => this.#fail(error));
  }

  /** Restores a guest that is given no call meanwhile. */
  async #restoreNow(member: Member): Promise<void> {
    await member.guest.restoreNow();
    if (!member.guest.alive) return this.#discard(member, "it was not restored");
    member.group = undefined;
    member.busy = undefined;
  }

  /** A guest has nothing to do: it is restored after a moment, and replaced or ended after a longer one. */
  rest(member: Member): void {
    member.timer = setTimeout(() => this.#idle(member), RESTORE_DELAY_MS);
  }

  close(): void {
    this.#closed = true;
    for (const member of this.#members) this.#discard(member, "the server is shutting down");
  }

  #idle(member: Member): void {
    if (member.group !== undefined) this.#restore(member);
    const grown = member.guest.grownBytes > GROWN_BYTES;
    const surplus = this.#members.size > this.#options.maxGuests;
    member.timer = grown
      ? setTimeout(() => void this.#replace(member), GROWN_IDLE_MS)
      : setTimeout(
          () => this.#members.size > this.#ready && this.#discard(member, "it was idle"),
          surplus ? SURPLUS_IDLE_MS : IDLE_MS,
        );
    member.timer.unref();
  }

  /** Replaces an idle guest whose memory grew; another starts first where no other would stand ready. */
  async #replace(member: Member): Promise<void> {
    if (this.#members.size <= this.#ready && this.hasRoom) {
      await this.#start().catch((error: unknown) => this.#fail(error));
    }
    const isLeft = this.#members.has(member) && !this.#closed && !member.busy;
    if (isLeft) this.#discard(member, "its memory grew");
  }

  get #ready(): number {
    return Math.min(READY_GUESTS, this.#options.maxGuests);
  }

  #restore(member: Member): void {
    member.guest.restore();
    member.group = undefined;
  }

  #discard(member: Member, reason: string): undefined {
    this.#remove(member, reason);
    this.#refill();
  }

  #remove(member: Member, reason: string): void {
    clearTimeout(member.timer);
    this.#members.delete(member);
    member.busy = undefined;
    member.guest.kill("cancelled", reason);
  }

  /** Starts guests until enough stand ready. */
  #refill(): void {
    if (this.#closed) return;
    const missing = this.#ready - this.#members.size - this.#starting;
    if (missing > 0) this.startInBackground();
    this.#events.onGone();
  }

  /** While all guests work, one more stands ready: for a tenant that comes now, and in place of one that is killed. */
  #keepSpare(member: Member): void {
    if (this.#options.maxGuests >= READY_GUESTS) this.#startSpare();
    else member.timer = setTimeout(() => this.#startSpare(), LONG_CALL_MS);
  }

  #startSpare(): void {
    const isUsual = this.#members.size + this.#starting <= this.#options.maxGuests;
    if (isUsual && this.hasRoom && !this.choose()) this.startInBackground();
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    const started: { member?: Member } = {};
    try {
      const guest = await this.#options.start({
        onWaiting: (waiting) => this.#note(started.member, waiting),
        onEnd: (reason) => this.#lost(started.member, reason),
      });
      this.#starting -= 1;
      started.member = newMember(guest);
      this.#join(started.member);
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
    this.#events.onStarted(member);
  }

  #note(member: Member | undefined, waiting: boolean): void {
    if (!member?.busy || member.waiting === waiting) return;
    member.waiting = waiting;
    this.#events.onWaiting(member, waiting);
  }

  /** A guest that died before it served anything would die again: its successor is not hurried. */
  #lost(member: Member | undefined, reason: string): void {
    if (!member || !this.#members.delete(member) || this.#closed) return;
    clearTimeout(member.timer);
    this.#options.logger.warn({ reason }, "a Python guest ended");
    if (member.calls > 0) this.#refill();
    else setTimeout(() => this.#refill(), RESTART_DELAY_MS).unref();
  }

  #fail(thrown: unknown): void {
    if (this.#closed) return;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#options.logger.error({ error: error.message }, "a Python guest could not be started");
    if (this.#members.size + this.#starting === 0) this.#events.onUnavailable(error);
  }
}

function newMember(guest: Guest): Member {
  return { guest, group: undefined, busy: undefined, waiting: false, calls: 0, lastUse: 0, timer: undefined };
}
