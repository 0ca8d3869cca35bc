import type { Logger } from "#base";
import type { GenerationModels, OpenTrialServer, TrialServer } from "../contract.ts";
import { LazyTrialServer } from "../lazy-trial-server.ts";

/** How many trial servers wait for the next turn of their conversations. Each is a server with a database of its own. */
const MAX_WAITING = 4;
/** How long one waits, milliseconds: a person reads and writes in the meantime. */
const IDLE_MS = 5 * 60_000;

/** A trial server whose models are those of the turn that has it. */
interface Leased {
  readonly trialServer: LazyTrialServer;
  models: GenerationModels;
  opened: boolean;
}

/** A trial server that waits, and the timer that closes it. */
interface Waiting {
  readonly leased: Leased;
  readonly timer: NodeJS.Timeout;
}

/**
 * Benches by conversation: opening one takes longer than most turns, so it is kept for the next turn of its conversation (GEN-14). One turn has it at
 * a time. It holds nothing that a turn needs: where it is gone, or on another server, the next turn opens another one.
 */
export class TrialServerPool {
  readonly #open: OpenTrialServer;
  readonly #logger: Logger;
  /** The one that waits longest comes first. */
  readonly #waiting = new Map<string, Waiting>();
  #closed = false;

  constructor(open: OpenTrialServer, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** Does work with the trial server of a conversation. A trial server whose work failed is not used again. */
  async use<Result>(
    conversation: string,
    models: GenerationModels,
    work: (trialServer: () => Promise<TrialServer>) => Promise<Result>,
  ): Promise<Result> {
    const leased = this.#take(conversation) ?? this.#lend();
    leased.models = models;
    const result = await work(leased.trialServer.get).catch(async (error: unknown) => {
      await leased.trialServer.close();
      throw error;
    });
    await this.#giveBack(conversation, leased);
    return result;
  }

  /** Closes those that wait; those that are in use are closed when their work is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#waiting.keys()].map((conversation) => this.#take(conversation)?.trialServer.close()));
  }

  #lend(): Leased {
    const resolve: GenerationModels["resolve"] = (name) => leased.models.resolve(name);
    const open = () => {
      leased.opened = true;
      return this.#open({ resolve });
    };
    const leased: Leased = { trialServer: new LazyTrialServer(open, this.#logger), models: { resolve }, opened: false };
    return leased;
  }

  #take(conversation: string): Leased | undefined {
    const waiting = this.#waiting.get(conversation);
    if (!waiting) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(conversation);
    return waiting.leased;
  }

  async #giveBack(conversation: string, leased: Leased): Promise<void> {
    if (!leased.opened) return;
    const isClear = await this.#clear(leased);
    // A server that closes, and a second turn of the conversation.
    if (!isClear || this.#closed || this.#waiting.has(conversation)) return leased.trialServer.close();
    const timer = setTimeout(() => void this.#take(conversation)?.trialServer.close(), IDLE_MS).unref();
    this.#waiting.set(conversation, { leased, timer });
    const [longest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && longest !== undefined) await this.#take(longest)?.trialServer.close();
  }

  /** What is wrong with a trial server after its turn is no fault of the turn. */
  async #clear({ trialServer }: Leased): Promise<boolean> {
    try {
      await (await trialServer.get()).clear();
      return true;
    } catch (error) {
      this.#logger.warn({ err: error }, "what a turn of the assistant was tried on could not be cleared");
      return false;
    }
  }
}
