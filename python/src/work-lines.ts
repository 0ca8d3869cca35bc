/** Work of many tenants that must not all begin at once: some of each tenant at a time, in order. The rest waits as long as that takes. */
export class WorkLines {
  readonly #atOnce: number;
  readonly #lines = new Map<string, Line>();

  /** `atOnce`: pieces of work of one tenant that may run at the same time. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Does the work when it is its turn. Resolves and rejects as the work does. */
  async run<Result>(tenant: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(tenant) ?? { running: 0, waiting: [] };
    this.#lines.set(tenant, line);
    if (line.running < this.#atOnce) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#goOn(tenant, line);
    }
  }

  /** Whoever waits longest takes the place at once, so that nobody who comes meanwhile overtakes it. */
  #goOn(tenant: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next();
    else line.running -= 1;
    if (line.running === 0) this.#lines.delete(tenant);
  }
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}
