import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { WriterSettings } from "./writer-worker.ts";

/** A thread that was started before there was a writer for it. */
let prepared: Worker | undefined;

/**
 * Starts the thread of the writer that this process will open. A thread takes as long as reading a third of the server's code, so who does both begins with it.
 * Without a writer it keeps no process alive.
 */
export function prepareWriterThread(): void {
  prepared ??= newThread();
  prepared.unref();
}

/** A thread for a writer: the prepared one, or a new one. It opens the database; what it then says are `WriterReply`s. */
export function startWriterThread(settings: WriterSettings): Worker {
  const thread = prepared ?? newThread();
  prepared = undefined;
  thread.ref();
  thread.postMessage(settings);
  return thread;
}

/** Ends what was prepared, where the data is in no data folder. */
export async function endPreparedThread(): Promise<void> {
  const thread = prepared;
  prepared = undefined;
  await thread?.terminate();
}

/** The worker's file is beside this one: TypeScript in a checkout, JavaScript in the published package. */
function newThread(): Worker {
  return new Worker(new URL(`./writer-worker${extname(import.meta.url)}`, import.meta.url), { name: "storage-writer" });
}
