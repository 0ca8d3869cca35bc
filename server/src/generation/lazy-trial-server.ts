import type { Logger } from "#base";
import type { TrialServer } from "./contract.ts";

/** The trial server of one generation, opened with its first use. */
export class LazyTrialServer {
  readonly #open: () => Promise<TrialServer>;
  readonly #logger: Logger;
  #server: Promise<TrialServer> | undefined;

  constructor(open: () => Promise<TrialServer>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  get = (): Promise<TrialServer> => {
    this.#server ??= this.#open();
    return this.#server;
  };

  /** What a trial server leaves behind is no fault of the generation. */
  async close(): Promise<void> {
    try {
      await (await this.#server)?.close();
    } catch (error) {
      this.#logger.warn({ err: error }, "what a generation was tried on could not be closed");
    }
  }
}
