import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Statement } from "../engine.ts";
import { StorageError } from "../errors.ts";
import { listTooLong } from "../list-limits.ts";
import type { ListReply, ListRequest } from "./list-worker.ts";
import { toStorageError } from "./to-storage-error.ts";

/** A thread that reads one list at a time, with a connection of its own. */
export interface ListThread {
  /** Rejects with a `StorageError`, or with the refusal of a list that took too long. */
  read(statement: Statement): Promise<readonly unknown[]>;
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

  function start(): Worker {
    const started = new Worker(workerFile(), { workerData: path, name: "storage-lists" });
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
    read({ sql, parameters }) {
      worker ??= start();
      worker.postMessage({ sql, parameters } satisfies ListRequest);
      return new Promise((resolve, reject) => {
        reading = { resolve, reject };
      });
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
