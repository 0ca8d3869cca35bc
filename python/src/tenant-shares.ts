/** Timeouts in a row after which a tenant is held back. */
const TOLERATED_TIMEOUTS = 3;

/** A tenant that is held back gets its next guest after this many milliseconds, doubled with each further timeout. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Account {
  /** Guests that it holds: computing, waiting for the host, or being put in order after one of its calls. */
  held: number;
  computing: number;
  timeouts: number;
  pausedUntil: number;
}

/** What the guests of a pool are divided by. */
interface GuestCounts {
  /** Guests that may compute at the same time. */
  readonly maxGuests: number;
  /** Guests that there may be. */
  readonly maxMembers: number;
}

/**
 * Who may have a guest, and who may compute.
 *
 * Guests: a tenant may hold as many as are left free beside them (dynamic thresholds, Choudhury and Hahne 1998), and `maxGuests` in any case, but the last free
 * guest goes to a tenant that holds none. So whoever comes finds a guest, however many others wait in theirs (PY-43).
 *
 * Computing: together the tenants get `maxGuests`; one alone may have them all while nobody else wants any, and a
 * tenant that has none may always start one call more, so that others' long calls cannot keep it out. A tenant whose
 * calls ran into their limits several times in a row gets one guest at a time, after a growing pause, until a call ends well.
 */
export class TenantShares {
  readonly #maxGuests: number;
  readonly #maxMembers: number;
  readonly #now: () => number;
  /** Tenants without guest and without timeouts are not kept. */
  readonly #accounts = new Map<string, Account>();
  #computing = 0;
  #held = 0;

  constructor({ maxGuests, maxMembers }: GuestCounts, now: () => number = () => performance.now()) {
    this.#maxGuests = maxGuests;
    this.#maxMembers = maxMembers;
    this.#now = now;
  }

  /** Guests that nobody holds, started or not. */
  get free(): number {
    return this.#maxMembers - this.#held;
  }

  /** Whether a further guest may be the tenant's, whatever its code does in it. */
  mayHold(tenant: string): boolean {
    const { held } = this.#accounts.get(tenant) ?? NOTHING;
    const { free } = this;
    return held === 0 || free > held || (free > 1 && held < this.#maxGuests);
  }

  mayCompute(tenant: string): boolean {
    const { computing, timeouts, pausedUntil } = this.#accounts.get(tenant) ?? NOTHING;
    if (this.#now() < pausedUntil) return false;
    if (computing === 0) return true;
    return timeouts < TOLERATED_TIMEOUTS && this.#computing < this.#maxGuests;
  }

  /** A guest is the tenant's from now on. */
  took(tenant: string): void {
    this.#accountOf(tenant).held += 1;
    this.#held += 1;
  }

  gaveBack(tenant: string): void {
    this.#accountOf(tenant).held -= 1;
    this.#held -= 1;
    this.#forgetIdle(tenant);
  }

  /** A call began to compute, or went on after it had waited for the host. */
  began(tenant: string): void {
    this.#accountOf(tenant).computing += 1;
    this.#computing += 1;
  }

  /** It waits for the host, or is done. */
  paused(tenant: string): void {
    this.#accountOf(tenant).computing -= 1;
    this.#computing -= 1;
    this.#forgetIdle(tenant);
  }

  /** Notes how a call ended. Returns for how long the tenant is paused now, milliseconds; 0 if it is not. */
  ended(tenant: string, timedOut: boolean): number {
    const account = this.#accountOf(tenant);
    account.timeouts = timedOut ? account.timeouts + 1 : 0;
    const excess = account.timeouts - TOLERATED_TIMEOUTS;
    const pause = excess < 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** excess);
    account.pausedUntil = pause > 0 ? this.#now() + pause : 0;
    this.#forgetIdle(tenant);
    return pause;
  }

  #accountOf(tenant: string): Account {
    const account = this.#accounts.get(tenant) ?? { ...NOTHING };
    this.#accounts.set(tenant, account);
    return account;
  }

  #forgetIdle(tenant: string): void {
    const account = this.#accounts.get(tenant);
    if (account?.held === 0 && account.computing === 0 && account.timeouts === 0) this.#accounts.delete(tenant);
  }
}

const NOTHING: Readonly<Account> = { held: 0, computing: 0, timeouts: 0, pausedUntil: 0 };
