import { parentPort } from "node:worker_threads";
import type { Language } from "../text/languages.ts";
import { type DocumentKind, parseDocument } from "./parse-document.ts";
import { type PreparedDocument, prepareDocuments } from "./prepare-document.ts";

/** A file to read, sent to the thread that does. */
export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly kind: DocumentKind;
  /** Undefined: as the file tells. */
  readonly language: Language | undefined;
}

/** Said once, when the thread has loaded what it reads with. */
export interface ParserReady {
  readonly ready: true;
}

/** What it held, or why it cannot be read. */
export type ParseReply = { readonly documents: readonly PreparedDocument[] } | { readonly fault: string };

/** One file at a time: the other side waits for the reply before it sends the next one, so that it can tell who is at fault. */
parentPort?.on("message", async (request: ParseRequest) => {
  parentPort?.postMessage(await reply(request));
});

parentPort?.postMessage({ ready: true } satisfies ParserReady);

async function reply({ bytes, kind, language }: ParseRequest): Promise<ParseReply> {
  try {
    return { documents: prepareDocuments(await parseDocument(bytes, kind), language) };
  } catch (error) {
    // A parser that trips over a file says so like any other fault: the file is not ours.
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
