import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Statement } from "../engine.ts";
import { StorageError } from "../errors.ts";
import { listTooLong } from "../list-limits.ts";
import type { ListReply, ListRequest, ListThreadData } from "./list-worker.ts";
import { toStorageError } from "./to-storage-error.ts";

/** A thread that reads one list at a time, with a connection of its own. */
export interface ListThread {
  /** Rejects with a `StorageError`, with the refusal of a list that took too long, or with the reason of the signal once it has ended for it. */
  read(statement: Statement, signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Ends the thread, once what it reads is read. */
  close(): Promise<void>;
}

interface Reading {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Creates a thread, which starts with its first list. A thread that fails is followed by another one with the next list. */
export function createListThread(path: string): ListThread {
  let worker: Worker | undefined;
  let reading: Reading | undefined;
  /** Not 0 while what the thread reads is to end: it gets no message before. */
  const isCancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  function start(): Worker {
    const workerData: ListThreadData = { path, isCancelled };
    const started = new Worker(workerFile(), { workerData, name: "storage-lists" });
    started.on("message", (reply: ListReply | { readonly "watch:import": unknown }) => {
      if ("watch:import" in reply) return; // for Node's own watch mode
      if ("rows" in reply) reading?.resolve(reply.rows);
      else if ("isTooLong" in reply) reading?.reject(listTooLong());
      else reading?.reject(toStorageError(Object.assign(new Error(reply.error.message), reply.error), path));
    });
    started.on("error", (error) => end(started, toStorageError(error, path)));
    started.on("exit", () => end(started, new StorageError("FAILED", `The database '${path}' is closed.`)));
    return started;
  }

  function end(ended: Worker, error: StorageError): void {
    if (worker !== ended) return;
    worker = undefined;
    reading?.reject(error);
  }

  return {
    async read({ sql, parameters }, signal) {
      const cancel = () => Atomics.store(isCancelled, 0, 1);
      Atomics.store(isCancelled, 0, 0);
      signal?.addEventListener("abort", cancel, { once: true });
      worker ??= start();
      worker.postMessage({ sql, parameters } satisfies ListRequest);
      try {
        return await new Promise<readonly unknown[]>((resolve, reject) => {
          reading = { resolve, reject };
        });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    async close() {
      if (!worker) return;
      const exited = new Promise((resolve) => worker?.once("exit", resolve));
      worker.postMessage("close" satisfies ListRequest);
      await exited;
    },
  };
}

/** The worker's file beside this one: TypeScript in a checkout, JavaScript in the published package. */
function workerFile(): URL {
  return new URL(`./list-worker${extname(import.meta.url)}`, import.meta.url);
}
