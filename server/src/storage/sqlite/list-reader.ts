import type { CompiledQuery } from "kysely";
import { Semaphore } from "#base";
import type { Statement } from "../engine.ts";
import { StorageError } from "../errors.ts";
import { placeForList } from "../list-limits.ts";
import { createListThread } from "./list-thread.ts";

/** Reads lists of a database in threads of their own. */
export interface ListReader {
  /** Rejects with a `StorageError`, with the refusal of a list that took too long, or waited for others too long, or with the reason of the signal, which ends it. */
  all<Row>(statement: Statement<Row> | CompiledQuery<Row>, signal?: AbortSignal): Promise<readonly Row[]>;
  /** Ends the threads, once what they read is read. Later lists reject. */
  close(): Promise<void>;
}

/** Lists that are read at the same time: one that takes long is not waited for by all others, and two leave a processor of a small machine some time for turns. */
const PLACES = 2;

/**
 * Reads lists in threads with connections of their own: a search for a frequent word takes seconds of a million conversations, in which the main thread
 * answers turns (DB-32). A thread starts with the first list that finds none, and sees every commit that was answered before.
 */
export function createListReader(path: string): ListReader {
  const places = new Semaphore(PLACES);
  const threads = Array.from({ length: PLACES }, () => createListThread(path));
  /** The one that read last is taken first: the others may never be needed. */
  const free = [...threads];
  let isClosed = false;

  const closed = () => new StorageError("FAILED", `The database '${path}' is closed.`);

  async function all<Row>(
    statement: Statement<Row> | CompiledQuery<Row>,
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    if (isClosed) throw closed();
    const leave = await placeForList(places, signal);
    const thread = free.pop();
    try {
      if (isClosed || !thread) throw closed();
      // The rows are those of the statement.
      return (await thread.read(statement, signal)) as readonly Row[];
    } finally {
      if (thread) free.push(thread);
      leave();
    }
  }

  return {
    all,
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
