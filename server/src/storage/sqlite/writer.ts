import type { SQLInputValue } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import type { Logger } from "#base";
import type { CommitOutcome, Step } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { PackedError, PackedOutcome, PackedStep, PackedWrite } from "./commit-batch.ts";
import { toStorageError } from "./to-storage-error.ts";
import { startWriterThread } from "./writer-thread.ts";
import type { WriterReply, WriterRequest } from "./writer-worker.ts";

interface WriterOptions {
  /** The database file. */
  readonly path: string;
  /** A write that the worker repeats when it is idle, as long as it changes rows. */
  readonly maintenance: readonly Step[];
  readonly logger: Logger;
  /** Called after each commit with the number of writes that shared it. */
  readonly onCommit?: ((writes: number) => void) | undefined;
}

/** A write whose outcome has not arrived. */
interface PendingWrite {
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: StorageError) => void;
}

/** What a worker under `node --watch` sends beside its own messages: the files that it loads. */
interface WatchReport {
  readonly "watch:import": readonly string[];
}

/**
 * The one writer of a database: a worker thread with a queue in front of it. The constructor does not wait for the thread; writes queue until
 * it is up. Writes go to the worker in one message when it has committed those before, so that a busy server pays for one message a commit,
 * and the outcomes of a commit come back in one.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #worker: Worker;
  /** Writes that were sent, in order: their outcomes arrive in the same order. */
  #sent: PendingWrite[] = [];
  /** Writes for the next message, and who waits for each. */
  #unsent: PendingWrite[] = [];
  #batch: PackedWrite[] = [];
  /** Set once the writer takes no more writes. */
  #ended: StorageError | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#worker = startWriterThread({ path: options.path, maintenance: pack(options.maintenance) });
    this.#worker.on("message", (reply: WriterReply | WatchReport) => this.#receive(reply));
    this.#worker.on("error", (error) => this.#end(toStorageError(error, options.path)));
    this.#worker.on("exit", () =>
      this.#end(new StorageError("FAILED", `The writer of '${options.path}' has ended: start the server again.`)),
    );
  }

  /** Runs the steps as one write. Durable when it resolves to "committed". Rejects with a `StorageError`. */
  commit(steps: readonly Step[]): Promise<CommitOutcome> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#batch.length === 0 && this.#sent.length === 0) queueMicrotask(() => this.#flush());
    this.#batch.push(pack(steps));
    return new Promise((resolve, reject) => this.#unsent.push({ resolve, reject }));
  }

  /** Finishes the queued writes, then ends the thread. Later commits reject. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#flush();
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#ended = new StorageError("FAILED", `The database '${this.#options.path}' is closed.`);
    this.#send("close");
    await exited;
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    this.#send(this.#batch);
    this.#sent.push(...this.#unsent);
    this.#batch = [];
    this.#unsent = [];
  }

  #send(request: WriterRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(reply: WriterReply | WatchReport): void {
    if ("watch:import" in reply) return; // for Node's own watch mode
    if (reply.kind === "outcomes") this.#settle(reply.outcomes);
    else if (reply.kind === "not-opened") this.#end(this.#unpackError(reply.error));
    else this.#options.logger.error({ err: this.#unpackError(reply.error) }, "the maintenance of the database failed");
  }

  #settle(outcomes: readonly PackedOutcome[]): void {
    this.#options.onCommit?.(outcomes.length);
    const settled = this.#sent.slice(0, outcomes.length);
    this.#sent = this.#sent.slice(outcomes.length);
    for (const [index, outcome] of outcomes.entries()) this.#settleOne(settled[index], outcome);
    if (this.#sent.length === 0) this.#flush();
  }

  #settleOne(write: PendingWrite | undefined, outcome: PackedOutcome): void {
    if (typeof outcome === "object") write?.reject(this.#unpackError(outcome));
    else if (outcome < 0) write?.resolve({ kind: "condition-failed", step: -1 - outcome });
    else write?.resolve({ kind: "committed", changes: outcome });
  }

  #unpackError(error: PackedError): StorageError {
    return toStorageError(Object.assign(new Error(error.message), error), this.#options.path);
  }

  #end(error: StorageError): void {
    this.#ended ??= error;
    for (const { reject } of [...this.#sent, ...this.#unsent]) reject(this.#ended);
    this.#sent = [];
    this.#unsent = [];
    this.#batch = [];
  }
}

function pack(steps: readonly Step[]): PackedWrite {
  return steps.map(({ sql, parameters, changes = -1 }): PackedStep => [sql, parameters.map(packValue), changes]);
}

/** Copies a view of a larger buffer: structured clone would send the whole buffer to the other thread. */
function packValue(value: unknown): SQLInputValue {
  if (value instanceof Uint8Array && value.byteLength !== value.buffer.byteLength) return value.slice();
  // The stores bind strings, numbers and bytes only; SQLite rejects anything else.
  return value as SQLInputValue;
}
