import { parentPort } from "node:worker_threads";
import { thrownMessage } from "#base";
import type { Language } from "../text/languages.ts";
import { type DocumentKind, parseDocument } from "./parse-document.ts";
import { type PreparedDocument, prepareDocuments } from "./prepare-document.ts";

/** A file to parse, sent to the worker thread. */
export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly kind: DocumentKind;
  /** Undefined: detected from the file. */
  readonly language: Language | undefined;
}

/** Sent once, when the thread has loaded its parsers. */
export interface ParserReady {
  readonly ready: true;
}

/** The documents of the file, or why it cannot be parsed. */
export type ParseReply = { readonly documents: readonly PreparedDocument[] } | { readonly fault: string };

/** Parses one file at a time: the sender waits for the reply before it sends the next one, so that it knows which file caused an error. */
parentPort?.on("message", async (request: ParseRequest) => {
  parentPort?.postMessage(await reply(request));
});

parentPort?.postMessage({ ready: true } satisfies ParserReady);

async function reply({ bytes, kind, language }: ParseRequest): Promise<ParseReply> {
  try {
    return { documents: prepareDocuments(await parseDocument(bytes, kind), language) };
  } catch (error) {
    // An exception of a parser is the file's fault, too.
    return { fault: thrownMessage(error) };
  }
}
