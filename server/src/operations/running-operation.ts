import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Clock, Logger } from "#base";
import { Code, ConnectError, toStatusError } from "#status";
import type { OperationRow, OperationStore } from "#storage";
import type { OperationHandle, OperationWork } from "./contract.ts";
import { type OperationStamps, packError, packMetadata, packResponse, restampMetadata } from "./operation-row.ts";

/** What a running operation needs. */
interface RunningDeps {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An operation whose work runs in this process. Its changes are stored in order; clients see only what is stored. */
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
   * Does the work and stores its result. Never rejects: when the store fails, it returns the finished row, unless
   * the operation was deleted.
   */
  async run<O extends DescMessage>(response: O, work: OperationWork<O>): Promise<OperationRow | undefined> {
    const result = await this.#resultOf(response, work);
    this.#stamps = { ...this.#stamps, endTime: this.#deps.clock.now() };
    const stored = this.#storeResult(result);
    this.#endWork();
    return stored;
  }

  /** Whether the work has ended and its result is being stored, or is stored. */
  get done(): boolean {
    return this.#row.done;
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
    this.#isDeleted = true;
    this.#controller.abort(cancelled());
  }

  async #resultOf<O extends DescMessage>(response: O, work: OperationWork<O>): Promise<Partial<OperationRow>> {
    try {
      return { response: packResponse(response, await work(this.#handle())) };
    } catch (error) {
      const statusError = this.#toStatusError(error);
      this.#errorCode = statusError.code;
      return { error: packError(statusError) };
    }
  }

  #handle(): OperationHandle {
    return {
      name: this.#row.name,
      signal: this.#controller.signal,
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

  async #storeResult(result: Partial<OperationRow>): Promise<OperationRow | undefined> {
    try {
      await this.#change({ ...result, done: true, metadata: restampMetadata(this.#row.metadata, this.#stamps) });
      return undefined;
    } catch (error) {
      this.#log(error, "the result of an operation could not be stored");
      return this.#isDeleted ? undefined : this.#row;
    }
  }

  async #change(fields: Partial<OperationRow>): Promise<void> {
    this.#row = { ...this.#row, ...fields };
    if (!this.#isDeleted) await this.#deps.store.put(this.#row);
  }

  #log(err: unknown, message: string): void {
    this.#deps.logger.error({ err, operation: this.#row.name, kind: this.#row.kind }, message);
  }
}

/** The error of work that was cancelled (`CancelOperation`'s comment: code 1). */
function cancelled(): ConnectError {
  return new ConnectError("The operation was cancelled.", Code.Canceled);
}
