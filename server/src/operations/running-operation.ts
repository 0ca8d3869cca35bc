import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Clock, Logger } from "#base";
import { Code, ConnectError, toStatusError } from "#status";
import type { Job, JobEnd, OperationRow, OperationStore } from "#storage";
import { type Attempts, mayPass } from "./attempts.ts";
import type { OperationHandle, OperationObserver, OperationWork } from "./contract.ts";
import { type OperationStamps, packError, packMetadata, packResponse, restampMetadata } from "./operation-row.ts";

/** What a running operation needs. */
interface RunningDeps {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly attempts: Attempts;
  readonly observer?: OperationObserver | undefined;
}

/** What an attempt at an operation came to. */
interface Ended {
  readonly end: JobEnd;
  /** The finished row, when the store did not take it. */
  readonly unstored?: OperationRow;
}

/** An attempt at an operation, whose work runs in this process. Its changes are stored in order; clients see only what is stored. */
export class RunningOperation {
  /** Resolves when the work has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly #deps: RunningDeps;
  readonly #controller = new AbortController();
  readonly #endWork: () => void;
  /** The operation with all its changes, the ones that are being stored included. */
  #row: OperationRow;
  #stamps: OperationStamps;
  #isDeleted = false;
  #isRepeatable = false;
  #isPutBack = false;
  #isAnothers = false;
  #errorCode: Code | undefined;

  /** @param row the operation as it is stored */
  constructor(row: OperationRow, deps: RunningDeps) {
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    this.#endWork = ended.resolve;
    this.#row = row;
    this.#stamps = { createTime: row.createTime };
    this.#deps = deps;
  }

  /**
   * Does the work and stores its result. `again`: puts the work back that failed and may succeed (DB-15), or whose result the store did not take. Without it this never
   * rejects, and returns a finished row that was not stored, unless the operation was deleted.
   */
  async run<O extends DescMessage>(response: O, work: OperationWork<O>, again?: Job["again"]): Promise<Ended> {
    this.#isRepeatable = again !== undefined;
    let result = await this.#resultOf(response, work);
    if (again && result.failure && this.#isTriedAgain(result.failure)) {
      if (await this.#putBack(result, again)) {
        this.#endWork();
        return { end: "again" };
      }
      // Cancelled meanwhile: the job that waits finds an operation that is done.
      result = { failure: cancelled(), error: packError(cancelled()) };
    }
    this.#stamps = { ...this.#stamps, endTime: this.#deps.clock.now() };
    const storing = this.#storeResult(result);
    this.#endWork();
    const unstored = await storing;
    const isDead = this.#row.isDead && !this.#isDeleted;
    if (!again || !unstored) return { end: isDead ? "dead" : "done", ...(unstored && { unstored }) };
    await again("the result could not be stored");
    return { end: "again" };
  }

  /** Whether the work has ended and its result is being stored, or is stored. */
  get done(): boolean {
    return this.#row.done;
  }

  /** Whether the work is over, and the operation waits for its next attempt. */
  get isPutBack(): boolean {
    return this.#isPutBack;
  }

  /** Whether another server goes on with it. */
  get isAnothers(): boolean {
    return this.#isAnothers;
  }

  /** Code of the error with which the work ended; undefined for none. */
  get errorCode(): Code | undefined {
    return this.#errorCode;
  }

  /** Aborts the work's signal and stores that cancellation was requested. Does nothing once the work has ended. */
  async cancel(): Promise<void> {
    if (this.done) return;
    this.#controller.abort(cancelled());
    this.#stamps = { ...this.#stamps, requestedCancellation: true };
    await this.#change({ metadata: restampMetadata(this.#row.metadata, this.#stamps) });
  }

  /** Stores nothing from here on: the operation was deleted while its work runs. */
  forget(): void {
    this.#isDeleted = true;
  }

  /** Ends the work and stores nothing: another server goes on with it. */
  giveUp(): void {
    this.#isAnothers = true;
    this.#isDeleted = true;
    this.#controller.abort(cancelled());
  }

  async #resultOf<O extends DescMessage>(response: O, work: OperationWork<O>): Promise<Result> {
    try {
      return { response: packResponse(response, await work(this.#handle())) };
    } catch (error) {
      const statusError = this.#toStatusError(error);
      return { failure: statusError, error: packError(statusError) };
    }
  }

  /** Another attempt follows: it is noted when. False when the operation was cancelled meanwhile. */
  async #putBack({ failure, error }: Result, again: Job["again"]): Promise<boolean> {
    this.#deps.observer?.triedAgain(this.#row.kind);
    const dueTime = await again(failure?.message ?? "");
    const noted = { attempts: this.#row.attempts + 1, lastError: error ?? EMPTY, dueTime };
    await this.#change(noted).catch((fault: unknown) => this.#log(fault, "an attempt could not be stored"));
    this.#isPutBack = !this.#controller.signal.aborted;
    return this.#isPutBack;
  }

  #isTriedAgain(error: unknown): boolean {
    const isLast = this.#row.attempts + 1 >= this.#deps.attempts.most;
    return this.#isRepeatable && !isLast && !this.#controller.signal.aborted && mayPass(error);
  }

  #handle(): OperationHandle {
    return {
      name: this.#row.name,
      signal: this.#controller.signal,
      isTriedAgain: (error) => this.#isTriedAgain(error),
      progress: async (metadata: Message) => {
        if (!this.done) await this.#change({ metadata: packMetadata(metadata, this.#stamps) });
      },
    };
  }

  #toStatusError(error: unknown): ConnectError {
    const statusError = toStatusError(error);
    if (statusError.code === Code.Canceled && this.#controller.signal.aborted) return cancelled();
    if (statusError.code === Code.Internal) this.#log(statusError.cause ?? statusError, "an operation failed");
    return statusError;
  }

  async #storeResult({ failure, ...result }: Result): Promise<OperationRow | undefined> {
    this.#errorCode = failure?.code;
    const isDead = this.#isRepeatable && failure !== undefined && failure.code !== Code.Canceled;
    const attempts = isDead ? { isDead, attempts: this.#row.attempts + 1, lastError: result.error ?? EMPTY } : {};
    try {
      await this.#change({
        ...result,
        ...attempts,
        done: true,
        metadata: restampMetadata(this.#row.metadata, this.#stamps),
      });
      return undefined;
    } catch (error) {
      this.#log(error, "the result of an operation could not be stored");
      return this.#isDeleted ? undefined : this.#row;
    }
  }

  async #change(fields: Partial<OperationRow>): Promise<void> {
    this.#row = { ...this.#row, ...fields };
    if (this.#isDeleted) return;
    const stored = await this.#deps.store.change(this.#row);
    // Deleted, or taken over, by another server.
    if (!stored) this.#isDeleted = true;
  }

  #log(err: unknown, message: string): void {
    this.#deps.logger.error({ err, operation: this.#row.name, kind: this.#row.kind }, message);
  }
}

/** What an attempt came to. */
interface Result extends Pick<Partial<OperationRow>, "response" | "error"> {
  readonly failure?: ConnectError;
}

const EMPTY = new Uint8Array();

/** The error of work that was cancelled (`CancelOperation`'s comment: code 1). */
export function cancelled(): ConnectError {
  return new ConnectError("The operation was cancelled.", Code.Canceled);
}
