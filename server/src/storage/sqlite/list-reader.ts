import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CompiledQuery } from "kysely";
import type { Statement } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { ListReply, ListRequest } from "./list-worker.ts";
import { toStorageError } from "./to-storage-error.ts";

/** Reads lists of a database in a thread of its own. */
export interface ListReader {
  /** Rejects with a `StorageError`. */
  all<Row>(statement: Statement<Row> | CompiledQuery<Row>): Promise<readonly Row[]>;
  /** Ends the thread, once what it reads is read. Later lists reject. */
  close(): Promise<void>;
}

interface WaitingList {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: StorageError) => void;
}

/**
 * Reads lists one after the other in a thread with a connection of its own: a search for a frequent word takes seconds of a million conversations, in which the main thread
 * answers turns (DB-32). The thread starts with the first list, and sees every commit that was answered before.
 */
export function createListReader(path: string): ListReader {
  let worker: Worker | undefined;
  let waiting: WaitingList[] = [];
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(workerFile(), { workerData: path, name: "storage-lists" });
    started.on("message", (reply: ListReply | { readonly "watch:import": unknown }) => {
      if ("watch:import" in reply) return; // for Node's own watch mode
      const list = waiting.shift();
      if ("rows" in reply) list?.resolve(reply.rows);
      else list?.reject(toStorageError(Object.assign(new Error(reply.error.message), reply.error), path));
    });
    started.on("error", (error) => end(started, toStorageError(error, path)));
    started.on("exit", () => end(started, closed()));
    return started;
  }

  /** The next list starts another thread. */
  function end(ended: Worker, error: StorageError): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting) reject(error);
    waiting = [];
  }

  const closed = () => new StorageError("FAILED", `The database '${path}' is closed.`);

  return {
    all<Row>({ sql, parameters }: Statement<Row> | CompiledQuery<Row>) {
      if (isClosed) return Promise.reject(closed());
      worker ??= start();
      worker.postMessage({ sql, parameters } satisfies ListRequest);
      return new Promise<readonly Row[]>((resolve, reject) => {
        // The rows are those of the statement.
        waiting.push({ resolve: resolve as WaitingList["resolve"], reject });
      });
    },
    async close() {
      isClosed = true;
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
