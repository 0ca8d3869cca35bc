import type { Logger } from "#base";
import { BenchOnce } from "../bench-once.ts";
import type { Bench, GenerationModels, OpenBench } from "../contract.ts";

/** How many benches wait for the next turn of their conversations. Each is a server with a database of its own. */
const MAX_WAITING = 4;
/** How long one waits, milliseconds: a person reads and writes in the meantime. */
const IDLE_MS = 5 * 60_000;

/** A bench whose models are those of the turn that has it. */
interface Lent {
  readonly bench: BenchOnce;
  models: GenerationModels;
  opened: boolean;
}

/** A bench that waits, and the timer that closes it. */
interface Waiting {
  readonly lent: Lent;
  readonly timer: NodeJS.Timeout;
}

/**
 * Benches by conversation: opening one takes longer than most turns, so it is kept for the next turn of its conversation (GEN-14). One turn has it at
 * a time. It holds nothing that a turn needs: where it is gone, or on another server, the next turn opens another one.
 */
export class WarmBenches {
  readonly #open: OpenBench;
  readonly #logger: Logger;
  /** The one that waits longest comes first. */
  readonly #waiting = new Map<string, Waiting>();
  #closed = false;

  constructor(open: OpenBench, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** Does work with the bench of a conversation. A bench whose work failed is not used again. */
  async use<Result>(
    conversation: string,
    models: GenerationModels,
    work: (bench: () => Promise<Bench>) => Promise<Result>,
  ): Promise<Result> {
    const lent = this.#take(conversation) ?? this.#lend();
    lent.models = models;
    const result = await work(lent.bench.get).catch(async (error: unknown) => {
      await lent.bench.close();
      throw error;
    });
    await this.#giveBack(conversation, lent);
    return result;
  }

  /** Closes those that wait; those that are in use are closed when their work is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#waiting.keys()].map((conversation) => this.#take(conversation)?.bench.close()));
  }

  #lend(): Lent {
    const resolve: GenerationModels["resolve"] = (name) => lent.models.resolve(name);
    const open = () => {
      lent.opened = true;
      return this.#open({ resolve });
    };
    const lent: Lent = { bench: new BenchOnce(open, this.#logger), models: { resolve }, opened: false };
    return lent;
  }

  #take(conversation: string): Lent | undefined {
    const waiting = this.#waiting.get(conversation);
    if (!waiting) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(conversation);
    return waiting.lent;
  }

  async #giveBack(conversation: string, lent: Lent): Promise<void> {
    if (!lent.opened) return;
    const isClear = await this.#clear(lent);
    // A server that closes, and a second turn of the conversation.
    if (!isClear || this.#closed || this.#waiting.has(conversation)) return lent.bench.close();
    const timer = setTimeout(() => void this.#take(conversation)?.bench.close(), IDLE_MS).unref();
    this.#waiting.set(conversation, { lent, timer });
    const [longest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && longest !== undefined) await this.#take(longest)?.bench.close();
  }

  /** What is wrong with a bench after its turn is no fault of the turn. */
  async #clear({ bench }: Lent): Promise<boolean> {
    try {
      await (await bench.get()).clear();
      return true;
    } catch (error) {
      this.#logger.warn({ err: error }, "what a turn of the assistant was tried on could not be cleared");
      return false;
    }
  }
}
