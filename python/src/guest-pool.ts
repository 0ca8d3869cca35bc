import { CallQueue } from "./call-queue.ts";
import { type FleetOptions, GuestFleet, type Member } from "./guest-fleet.ts";
import type { GuestCall, GuestResult } from "./process/guest.ts";
import { TenantShares } from "./tenant-shares.ts";

/**
 * Calls of one tenant that may wait for a guest, as many as turns may run at once, and the bytes of their requests. For a call that a run waits for there are
 * as many places again, so that calls from outside do not take them.
 */
const WAITING_CALLS = 1_000;
const WAITING_BYTES = 64 << 20;

/** Who a call belongs to. `group` is unique among all tenants. */
interface Booking {
  readonly tenant: string;
  readonly group: string;
  /** The call cannot wait for the host, so it gives its guest back soon: it may take one where its tenant may hold no more. */
  readonly neverWaits?: boolean;
}

interface Waiter extends Booking {
  readonly call: GuestCall;
  readonly resolve: (result: GuestResult) => void;
  timer?: NodeJS.Timeout;
}

/**
 * Serves calls with a few guests. A guest serves one call at a time; before a call of another group its image is restored,
 * always. A call that another run waits for (same group, its guest waiting for the host) is served before others and does
 * not count against its tenant's share, because the waiting run occupies a guest until it is served
 * (PY-36, PY-35). What a call leaves to be done (a large memory to restore, a guest to replace) is done before its tenant may
 * start as many calls again (PY-43).
 */
export class GuestPool {
  readonly #maxGuests: number;
  readonly #fleet: GuestFleet;
  readonly #queue = new CallQueue<Waiter>();
  readonly #shares: TenantShares;
  #closed = false;

  constructor(options: FleetOptions) {
    this.#maxGuests = options.maxGuests;
    this.#shares = new TenantShares(options);
    this.#fleet = new GuestFleet(options, {
      onStarted: (member) => this.#offer(member),
      onWaiting: (member, waiting) => this.#noteWaiting(member, waiting),
      onGone: () => this.#queue.size > 0 && this.#growForQueue(),
      onUnavailable: (error) => this.#failQueued(error),
    });
  }

  /** Guests that there are. */
  get size(): number {
    return this.#fleet.size;
  }

  /** Guests that serve a call. */
  get busy(): number {
    return this.#fleet.all().filter((member) => member.busy).length;
  }

  /** Calls that wait for a guest. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Starts the guests that stand ready. Never rejects: calls that wait meanwhile fail when the first does not start. */
  prewarm(): Promise<void> {
    return this.#fleet.prewarm();
  }

  /** Runs one call on some guest. Never rejects: a guest that cannot be had is a result too. */
  run(booking: Booking, call: GuestCall): Promise<GuestResult> {
    return new Promise((resolve) => {
      const waiter: Waiter = { ...booking, call, resolve };
      if (this.#closed || call.signal?.aborted) return resolve(cancelled());
      const member = this.#mayStart(waiter) ? this.#fleet.choose(booking.group) : undefined;
      if (member) this.#serve(member, waiter);
      else this.#enqueue(waiter);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let waiter = this.#queue.take(); waiter; waiter = this.#queue.take()) settle(waiter, cancelled());
    this.#fleet.close();
  }

  #mayStart({ tenant, group, neverWaits }: Waiter): boolean {
    const { free } = this.#shares;
    // A tenant beyond its share leaves two: whoever comes may have a call inside its call, too.
    const left = this.#shares.mayHold(tenant) ? 1 : 2;
    if (this.#fleet.isAwaited(group)) return free > left || (free > 0 && this.#isStuck(tenant, group));
    return this.#shares.mayCompute(tenant) && (neverWaits || this.#shares.mayHold(tenant));
  }

  /** Whether no guest of the tenant goes on before one of its waiting calls is served; `group` has one that may not be in line yet. */
  #isStuck(tenant: string, group: string): boolean {
    const goesOn = ({ busy, waiting }: Member) =>
      busy?.tenant === tenant && !(waiting && (busy.group === group || this.#hasWaiting(busy.group)));
    return !this.#fleet.all().some(goesOn);
  }

  #hasWaiting(group: string): boolean {
    return this.#queue.find((waiter) => waiter.group === group) !== undefined;
  }

  #enqueue(waiter: Waiter): void {
    const line = this.#queue.lineOf(waiter.tenant);
    const bytes = line.reduce((sum, { call }) => sum + call.frame.length, waiter.call.frame.length);
    const places = this.#fleet.isAwaited(waiter.group) ? 2 : 1;
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
      if (this.#fleet.size === 0) this.#limitWaiting(waiter);
      else this.#giveUp(waiter, exhausted(`no Python guest became free within ${wallMs} ms`));
    }, wallMs);
  }

  #giveUp(waiter: Waiter, result: GuestResult): void {
    if (this.#queue.remove(waiter)) settle(waiter, result);
  }

  /** Starts a guest for each call that may start and finds none, as far as the memory budget goes. */
  #growForQueue(): void {
    const fleet = this.#fleet;
    for (let missing = this.#wanted() - fleet.starting; missing > 0 && fleet.hasRoom; missing--)
      fleet.startInBackground();
    if (!fleet.hasRoom) this.#breakDeadlock();
  }

  /** Waiting calls that a guest of their own would help now. */
  #wanted(): number {
    const computing = this.#fleet.all().filter((member) => member.busy && !member.waiting).length;
    let free = Math.max(0, this.#maxGuests - computing);
    let wanted = 0;
    for (const tenant of this.#queue.tenants()) {
      const line = this.#queue.lineOf(tenant);
      const startable = line.filter((waiter) => this.#mayStart(waiter));
      const awaited = startable.filter(({ group }) => this.#fleet.isAwaited(group)).length;
      const others = Math.min(startable.length - awaited, Math.max(1, free));
      free = Math.max(0, free - others);
      wanted += awaited + others;
    }
    return wanted;
  }

  /** When every guest waits for a call that waits for a guest, one of those calls is refused: its caller goes on. */
  #breakDeadlock(): void {
    const members = this.#fleet.all();
    const groups = new Set(members.map(({ busy }) => busy?.group));
    const stuck = ({ waiting, busy }: Member) => waiting && busy !== undefined && this.#hasWaiting(busy.group);
    if (this.#fleet.starting > 0 || members.length === 0 || !members.every(stuck)) return;
    const waiter = this.#queue.takeMatching(({ group }) => groups.has(group));
    if (waiter) settle(waiter, exhausted(`all ${members.length} Python guests wait for calls inside their own calls`));
  }

  #serve(member: Member, waiter: Waiter): void {
    const { tenant, group, call } = waiter;
    clearTimeout(waiter.timer);
    const restoreFirst = this.#fleet.begin(member, tenant, group);
    this.#shares.took(tenant);
    this.#shares.began(tenant);
    void member.guest.call(call, restoreFirst).then((result) => {
      if (member.waiting) this.#shares.began(tenant); // it was ended while it waited
      const pauseMs = this.#shares.ended(tenant, result.ending === "timeout");
      if (pauseMs > 0) setTimeout(() => this.#serveQueued(), pauseMs + 1).unref();
      settle(waiter, result);
      const aftermath = this.#fleet.end(member, result.ending);
      if (aftermath) void aftermath.then(() => this.#release(member, tenant));
      else this.#release(member, tenant);
    });
  }

  /** A guest whose call is over and cleared away is nobody's. */
  #release(member: Member, tenant: string): void {
    this.#shares.paused(tenant);
    this.#shares.gaveBack(tenant);
    if (this.#fleet.has(member)) this.#offer(member);
    else this.#serveQueued();
  }

  /** Gives a free guest its next call: one of the group it just served, one that another run waits for, or the next in line. */
  #offer(member: Member): void {
    const { group } = member;
    const next =
      (group !== undefined && this.#queue.takeMatching((waiter) => waiter.group === group && this.#mayStart(waiter))) ||
      this.#queue.takeMatching((waiter) => this.#fleet.isAwaited(waiter.group) && this.#mayStart(waiter)) ||
      this.#queue.take((waiter) => this.#mayStart(waiter));
    if (next) this.#serve(member, next);
    else this.#fleet.rest(member);
  }

  /** After something other than a guest became free: a pause ended, a computing call began to wait. */
  #serveQueued(): void {
    for (let member = this.#fleet.choose(); member && this.#queue.size > 0; member = this.#fleet.choose()) {
      clearTimeout(member.timer);
      this.#offer(member);
      if (!member.busy) break;
    }
    if (this.#queue.size > 0) this.#growForQueue();
  }

  /** A guest that begins to wait for the host frees its processor: somebody else may start. */
  #noteWaiting({ busy }: Member, waiting: boolean): void {
    if (!busy) return;
    if (waiting) this.#shares.paused(busy.tenant);
    else this.#shares.began(busy.tenant);
    if (waiting && this.#queue.size > 0) this.#serveQueued();
  }

  /** Without any guest, waiting calls cannot be served: they fail with the reason instead of waiting for ever. */
  #failQueued(error: Error): void {
    const body = `the Python sandbox is not available: ${error.message}`;
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
