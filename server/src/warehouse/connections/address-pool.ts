/** The pool of connections of an address that may change while the server runs. */
interface AddressPool<Pool> {
  /** Runs work with the pool of the address as it is now. The pool of an older one is ended when nothing uses it any more. */
  use<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result>;
  /** Ends the pool; the next use opens another. */
  close(): Promise<void>;
}

interface AddressPoolOptions<Pool> {
  /** Reads the address. What it throws is thrown to who uses the pool, and the next use reads it again. */
  readonly address: () => string;
  readonly open: (address: string) => Promise<Pool>;
  readonly end: (pool: Pool) => Promise<void>;
}

/** Creates no pool before the first use. An address that is another one than before, as when a password was changed, gets a pool of its own. */
export function createAddressPool<Pool>({ address, open, end }: AddressPoolOptions<Pool>): AddressPool<Pool> {
  let current: Opened<Pool> | undefined;

  function take(): Opened<Pool> {
    const of = address();
    if (current?.of === of) return current;
    const last = current;
    const opened = { of, pool: open(of), users: 0, isOld: false };
    opened.pool.catch(() => {
      if (current === opened) current = undefined;
    });
    current = opened;
    if (last) retire(last);
    return opened;
  }

  /** What the driver says to the end of an old pool concerns nobody. */
  function retire(old: Opened<Pool>): void {
    old.isOld = true;
    if (old.users === 0) old.pool.then(end).catch(() => {});
  }

  return {
    async use(work) {
      const taken = take();
      taken.users++;
      try {
        return await work(await taken.pool);
      } finally {
        taken.users--;
        if (taken.isOld) retire(taken);
      }
    },
    async close() {
      const last = current;
      current = undefined;
      const pool = await last?.pool.catch(() => undefined);
      if (pool !== undefined) await end(pool);
    },
  };
}

interface Opened<Pool> {
  readonly of: string;
  readonly pool: Promise<Pool>;
  users: number;
  isOld: boolean;
}
