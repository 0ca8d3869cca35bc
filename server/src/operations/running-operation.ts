import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Clock, Logger } from "#base";
import { Code, ConnectError, toStatusError } from "#status";
import type { OperationRow, OperationStore } from "#storage";
import { type Attempts, mayPass, pauseAfter, waited } from "./attempts.ts";
import type { OperationHandle, OperationObserver, OperationWork } from "./contract.ts";
import { type OperationStamps, packError, packMetadata, packResponse, restampMetadata } from "./operation-row.ts";

/** What a running operation needs. */
interface RunningDeps {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly attempts: Attempts;
  readonly observer?: OperationObserver | undefined;
  /** Aborted when the server stops: what waits for its next attempt stays stored. */
  readonly stopping: AbortSignal;
}

/** The work of a further attempt at an operation as it is stored. */
export type Again = (row: OperationRow) => OperationWork<DescMessage>;

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
  #isRepeatable = false;
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
   * Does the work and stores its result. Work that fails is begun again with `again`, if it is given (DB-15). Never rejects: when the store
   * fails, it returns the finished row, unless the operation was deleted.
   */
  async run<O extends DescMessage>(
    response: O,
    work: OperationWork<O>,
    again?: Again,
  ): Promise<OperationRow | undefined> {
    this.#isRepeatable = again !== undefined;
    let result = await this.#whenDue(() => this.#resultOf(response, work));
    while (again && result && (await this.#failed(result)))
      result = await this.#whenDue(() => this.#resultOf(response, again(this.#row) as OperationWork<O>));
    if (!result) {
      this.#endWork();
      return undefined;
    }
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

  async #resultOf<O extends DescMessage>(response: O, work: OperationWork<O>): Promise<Result> {
    try {
      return { response: packResponse(response, await work(this.#handle())) };
    } catch (error) {
      const statusError = this.#toStatusError(error);
      return { failure: statusError, error: packError(statusError) };
    }
  }

  /** Waits for the time of the next attempt, if it has one, and makes it. Undefined when the server stops before. */
  async #whenDue(attempt: () => Promise<Result>): Promise<Result | undefined> {
    const { dueTime } = this.#row;
    if (dueTime === undefined) return attempt();
    const { clock, stopping } = this.#deps;
    const isDue = await waited(dueTime - clock.now(), [this.#controller.signal, stopping]);
    if (stopping.aborted || this.#isDeleted) return undefined;
    await this.#keep({ dueTime: undefined });
    return isDue ? attempt() : { failure: cancelled(), error: packError(cancelled()) };
  }

  /** Notes when the next attempt begins. False when none follows. */
  async #failed({ failure, error }: Result): Promise<boolean> {
    if (!failure || !this.#isTriedAgain(failure)) return false;
    const { clock, attempts: policy, observer } = this.#deps;
    const attempts = this.#row.attempts + 1;
    observer?.triedAgain(this.#row.kind);
    await this.#keep({ attempts, lastError: error ?? EMPTY, dueTime: clock.now() + pauseAfter(attempts, policy) });
    return true;
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

  /** Stores what the work does not depend on. */
  async #keep(fields: Partial<OperationRow>): Promise<void> {
    await this.#change(fields).catch((error: unknown) => this.#log(error, "an attempt could not be stored"));
  }

  async #change(fields: Partial<OperationRow>): Promise<void> {
    this.#row = { ...this.#row, ...fields };
    if (!this.#isDeleted) await this.#deps.store.put(this.#row);
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
function cancelled(): ConnectError {
  return new ConnectError("The operation was cancelled.", Code.Canceled);
}
