import type { Logger } from "#base";
import type { Bench } from "./contract.ts";

/** The bench of one generation, opened with its first use. */
export class BenchOnce {
  readonly #open: () => Promise<Bench>;
  readonly #logger: Logger;
  #bench: Promise<Bench> | undefined;

  constructor(open: () => Promise<Bench>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  get = (): Promise<Bench> => {
    this.#bench ??= this.#open();
    return this.#bench;
  };

  /** What a bench leaves behind is no fault of the generation. */
  async close(): Promise<void> {
    try {
      await (await this.#bench)?.close();
    } catch (error) {
      this.#logger.warn({ err: error }, "what a generation was tried on could not be closed");
    }
  }
}
