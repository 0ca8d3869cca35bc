import { extname } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { type Logger, unreachable } from "#base";
import type { CommitOutcome, Step } from "../engine.ts";
import { StorageFault } from "../storage-fault.ts";
import type { PackedFault, PackedOutcome, PackedStep, PackedWrite } from "./commit-batch.ts";
import { describeFault } from "./describe-fault.ts";
import type { WriterReply, WriterRequest, WriterSettings } from "./writer-worker.ts";

/** What a worker under `node --watch` sends beside its own messages: the files that it loads. */
interface WatchReport {
  readonly "watch:import": readonly string[];
}

/** The one writer of a database. */
export interface Writer {
  /** Durable when it resolves to "committed". Rejects with a `StorageFault`. */
  commit(steps: readonly Step[]): Promise<CommitOutcome>;
  /** Finishes what was queued, then ends; later commits are refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (fault: StorageFault) => void;
}

/**
 * Starts the thread that writes. It answers before the thread is up: writes queue until then, and the server goes on
 * starting. Writes asked for at once go over in one message, and all outcomes of a commit come back in one.
 */
export function startWriter({
  path,
  upkeep,
  logger,
  onCommit = () => {},
}: {
  path: string;
  upkeep: readonly Step[];
  logger: Logger;
  onCommit?: (writes: number) => void;
}): Writer {
  const settings: WriterSettings = { path, upkeep: pack(upkeep) };
  const worker = new Worker(workerFile(), { workerData: settings, name: "storage-writer" });
  /** Sent, in order: outcomes come back in the same order. */
  let sent: Waiting[] = [];
  let unsent: Waiting[] = [];
  let writes: PackedWrite[] = [];
  let ended: StorageFault | undefined;

  worker.on("message", (reply: WriterReply | WatchReport) => {
    if ("watch:import" in reply) return; // for Node's own watch mode, not for us
    switch (reply.kind) {
      case "outcomes":
        return settle(reply.outcomes);
      case "not-opened":
        return end(unpackFault(reply.fault));
      case "upkeep-failed":
        return logger.error({ err: unpackFault(reply.fault) }, "the upkeep of the database failed");
      default:
        return unreachable(reply);
    }
  });
  worker.on("error", (error) => end(describeFault(error, path)));
  worker.on("exit", () =>
    end(new StorageFault("FAILED", `The writer of '${path}' has ended: start the server again.`)),
  );

  function commit(steps: readonly Step[]): Promise<CommitOutcome> {
    if (ended) return Promise.reject(ended);
    if (writes.length === 0) queueMicrotask(flush);
    writes.push(pack(steps));
    return new Promise((resolve, reject) => unsent.push({ resolve, reject }));
  }

  function flush(): void {
    if (writes.length === 0) return;
    send(writes);
    sent.push(...unsent);
    writes = [];
    unsent = [];
  }

  function send(request: WriterRequest): void {
    worker.postMessage(request);
  }

  function settle(outcomes: readonly PackedOutcome[]): void {
    onCommit(outcomes.length);
    const settled = sent.slice(0, outcomes.length);
    sent = sent.slice(outcomes.length);
    for (const [at, outcome] of outcomes.entries()) settleOne(settled[at], outcome);
  }

  function settleOne(waiting: Waiting | undefined, outcome: PackedOutcome): void {
    if (typeof outcome === "object") waiting?.reject(unpackFault(outcome));
    else if (outcome < 0) waiting?.resolve({ kind: "refused", step: -1 - outcome });
    else waiting?.resolve({ kind: "committed", changes: outcome });
  }

  function unpackFault(fault: PackedFault): StorageFault {
    return describeFault(Object.assign(new Error(fault.message), fault), path);
  }

  function end(fault: StorageFault): void {
    ended ??= fault;
    for (const { reject } of [...sent, ...unsent]) reject(ended);
    sent = [];
    unsent = [];
    writes = [];
  }

  async function close(): Promise<void> {
    if (ended) return;
    flush();
    const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    ended = new StorageFault("FAILED", `The database '${path}' is closed.`);
    send("close");
    await exited;
  }

  return { commit, close };
}

/** The worker's file beside this one: TypeScript in a checkout, JavaScript in the published package. */
function workerFile(): URL {
  return new URL(`./writer-worker${extname(import.meta.url)}`, import.meta.url);
}

function pack(steps: readonly Step[]): PackedWrite {
  return steps.map(({ sql, parameters, changes = -1 }): PackedStep => [sql, parameters.map(packValue), changes]);
}

/** A view of a larger buffer would take all of that along to the other thread. */
function packValue(value: unknown): SQLInputValue {
  if (value instanceof Uint8Array && value.byteLength !== value.buffer.byteLength) return value.slice();
  // The stores bind strings, numbers and bytes only; the writer refuses anything else.
  return value as SQLInputValue;
}
