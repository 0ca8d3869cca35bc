import { parentPort, workerData } from "node:worker_threads";
import type { Statement } from "../engine.ts";
import { type PackedError, packError } from "./commit-batch.ts";
import { openReadConnection } from "./connections.ts";

/** To the thread: the query of a list, or "close". */
export type ListRequest = Statement | "close";

/** From the thread: an answer to each query, in the order they were sent. */
export type ListReply = { readonly rows: readonly unknown[] } | { readonly error: PackedError };

if (parentPort) serve(parentPort, workerData as string);

function serve(port: NonNullable<typeof parentPort>, path: string): void {
  // Opened with the first query, whose answer has the error.
  let reader: ReturnType<typeof openReadConnection> | undefined;

  function answer(statement: Statement): ListReply {
    try {
      reader ??= openReadConnection(path);
      return { rows: reader.all(statement) };
    } catch (error) {
      return { error: packError(error) };
    }
  }

  port.on("message", (request: ListRequest) => {
    if (request !== "close") return port.postMessage(answer(request));
    reader?.close();
    port.close();
  });
}
