import { parentPort, workerData } from "node:worker_threads";
import type { Statement } from "../engine.ts";
import { foldedWords } from "../folded-words.ts";
import { LIST_SECONDS } from "../list-limits.ts";
import { type PackedError, packError } from "./commit-batch.ts";
import { openReadConnection } from "./connections.ts";

/** To the thread: the query of a list, or "close". */
export type ListRequest = Statement | "close";

/** What the thread starts with: the database file, and what is not 0 while its list is to end. */
export interface ListThreadData {
  readonly path: string;
  readonly isCancelled: Int32Array<SharedArrayBuffer>;
}

/** From the thread: an answer to each query, in the order they were sent. */
export type ListReply =
  | { readonly rows: readonly unknown[] }
  | { readonly isTooLong: true }
  | { readonly error: PackedError };

if (parentPort) serve(parentPort, workerData as ListThreadData);

function serve(port: NonNullable<typeof parentPort>, { path, isCancelled }: ListThreadData): void {
  // Opened with the first query, whose answer has the error.
  let reader: ReturnType<typeof openReadConnection> | undefined;
  let until = 0;
  let isTooLong = false;

  /** Asked by lists for some of the rows that they read (`whileInTime`): SQLite has no limit of its own. */
  function inTime(): number {
    if (performance.now() < until && Atomics.load(isCancelled, 0) === 0) return 1;
    isTooLong = true;
    throw new Error("The list took too long.");
  }

  /** Whether a text has a word that begins so, which is one of `foldedWords`. */
  function hasWord(text: string, prefix: string): number {
    inTime();
    for (const word of foldedWords(text)) if (word.startsWith(prefix)) return 1;
    return 0;
  }

  function answer(statement: Statement): ListReply {
    until = performance.now() + LIST_SECONDS * 1_000;
    isTooLong = false;
    try {
      reader ??= openReadConnection(path, { in_time: inTime, has_word: hasWord });
      return { rows: reader.all(statement) };
    } catch (error) {
      return isTooLong ? { isTooLong } : { error: packError(error) };
    }
  }

  port.on("message", (request: ListRequest) => {
    if (request !== "close") return port.postMessage(answer(request));
    reader?.close();
    port.close();
  });
}
