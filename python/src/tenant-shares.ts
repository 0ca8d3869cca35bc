/** Timeouts in a row after which a tenant is held back. */
const TOLERATED_TIMEOUTS = 3;

/** A tenant that is held back gets its next guest after this many milliseconds, doubled with each further timeout. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Account {
  computing: number;
  timeouts: number;
  pausedUntil: number;
}

/**
 * Who may compute. Together the tenants get `limit` guests; one alone may have them all while nobody else wants any, and a
 * tenant that has none may always start one call more, so that others' long calls cannot keep it out. A tenant whose
 * calls ran into their limits several times in a row gets one guest at a time, after a growing pause, until a call ends well.
 */
export class TenantShares {
  readonly #limit: number;
  readonly #now: () => number;
  /** Tenants without guest and without timeouts are not kept. */
  readonly #accounts = new Map<string, Account>();
  #computing = 0;

  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  mayStart(tenant: string): boolean {
    const { computing, timeouts, pausedUntil } = this.#accounts.get(tenant) ?? NOTHING;
    if (this.#now() < pausedUntil) return false;
    if (computing === 0) return true;
    return timeouts < TOLERATED_TIMEOUTS && this.#computing < this.#limit;
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
    if (account?.computing === 0 && account.timeouts === 0) this.#accounts.delete(tenant);
  }
}

const NOTHING: Readonly<Account> = { computing: 0, timeouts: 0, pausedUntil: 0 };
