import { parentPort } from "node:worker_threads";
import { type DocumentKind, parseDocument } from "./parse-document.ts";
import { type PreparedDocument, prepareDocument } from "./prepare-document.ts";

/** A file to read, sent to the thread that does. */
export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly kind: DocumentKind;
}

/** What it held, or why it cannot be read. */
export type ParseReply = { readonly documents: readonly PreparedDocument[] } | { readonly fault: string };

/** One file at a time: the other side waits for the reply before it sends the next one, so that it can tell who is at fault. */
parentPort?.on("message", async ({ bytes, kind }: ParseRequest) => {
  parentPort?.postMessage(await reply(bytes, kind));
});

async function reply(bytes: Uint8Array, kind: DocumentKind): Promise<ParseReply> {
  try {
    return { documents: (await parseDocument(bytes, kind)).map(prepareDocument) };
  } catch (error) {
    // A parser that trips over a file says so like any other fault: the file is not ours.
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
