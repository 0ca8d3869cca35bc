import { type Logger, thrownMessage } from "#base";
import { ConnectError } from "#status";
import type { AuditPlace, RecordedEntry } from "./contract.ts";

/** Entries that wait while a place cannot be written. Beyond them the oldest are lost. */
const MOST_WAITING = 10_000;

/** Entries of one write. */
const BATCH = 500;

/** Milliseconds after which what waits is tried again without a new entry. */
const RETRY_MS = 1_000;

interface PlaceDeps {
  readonly name: AuditPlace;
  readonly write: (entries: readonly RecordedEntry[]) => Promise<void>;
  /** Whether the same entries may be written later. Default: always. */
  readonly mayPass?: (error: unknown) => boolean;
  /** Told of entries that nothing tries to write any more. */
  readonly onLost: (place: AuditPlace, count: number) => void;
  readonly logger: Logger;
}

/** The database or the file. What cannot be written waits, in order, and is written when that is possible again; the log has one line for the begin of that and one for its end. */
export class AuditPlaceWriter {
  readonly #deps: PlaceDeps;
  #waiting: RecordedEntry[] = [];
  #written = Promise.resolve();
  #fault: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: PlaceDeps) {
    this.#deps = deps;
  }

  get name(): AuditPlace {
    return this.#deps.name;
  }

  /** Why entries wait; undefined while none has to. */
  get fault(): string | undefined {
    return this.#fault;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the entry was written, or could not be. */
  append(entry: RecordedEntry): Promise<void> {
    this.#waiting.push(entry);
    if (this.#waiting.length > MOST_WAITING) this.#lose(this.#waiting.splice(0, BATCH));
    return this.#flush();
  }

  /** Tries what waits once more; what is left then is lost. */
  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#lose(this.#waiting.splice(0));
  }

  #flush(): Promise<void> {
    this.#written = this.#written.then(() => this.#writeAll());
    return this.#written;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.slice(0, BATCH);
      try {
        await this.#deps.write(entries);
      } catch (error) {
        if (this.#deps.mayPass?.(error) ?? true) return this.#failed(error);
        this.#lose(entries, error);
      }
      // Those that were lost meanwhile stood before the others.
      const left = new Set(entries);
      this.#waiting = this.#waiting.filter((entry) => !left.has(entry));
    }
    if (this.#fault !== undefined) this.#deps.logger.info({ place: this.name }, "the audit log is written again");
    this.#fault = undefined;
  }

  #failed(error: unknown): void {
    const { logger } = this.#deps;
    if (this.#fault === undefined)
      logger.error({ err: error, place: this.name }, "the audit log cannot be written; its entries wait");
    this.#fault = reasonOf(error);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, RETRY_MS).unref();
  }

  /** Nothing else has them, so the log gets them whole. */
  #lose(entries: readonly RecordedEntry[], error?: unknown): void {
    const { logger, onLost } = this.#deps;
    const cause = error === undefined ? { reason: this.#fault } : { err: error };
    logger.error({ ...cause, place: this.name, entries }, "entries of the audit log could not be written");
    onLost(this.name, entries.length);
  }
}

/** For the operator: clients are told of a store that fails without its reason, which is the cause. */
function reasonOf(error: unknown): string {
  if (error instanceof ConnectError) return error.cause instanceof Error ? error.cause.message : error.rawMessage;
  return thrownMessage(error);
}
