import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { createPauses } from "#base";
import { type EntryTexts, entryTexts } from "./entry-texts.ts";

/** Characters of a text that is read here; a longer one takes a thread, and other calls run meanwhile. */
const SHORT_TEXT = 16 * 1024;
/** Milliseconds and heap, MB, for one text; the longest that a request can hold needs a fraction of both in JSON. */
const TIMEOUT_MS = 60_000;
const HEAP_MB = 1_024;

/** Reads the text of an import. */
export function readEntryTexts(text: string): Promise<EntryTexts> {
  return text.length <= SHORT_TEXT ? Promise.resolve(entryTexts(text)) : readInThread(text);
}

/** The items of batches, in order. Other calls run in between. */
export async function* itemsOf<Item>(batches: readonly string[]): AsyncGenerator<Item> {
  const pause = createPauses();
  for (const batch of batches) {
    for (const item of JSON.parse(batch) as readonly Item[]) {
      yield item;
      await pause();
    }
  }
}

/** Never rejects. */
function readInThread(text: string): Promise<EntryTexts> {
  const file = new URL(`./entry-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { name: "evaluations", resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  const tooLong: EntryTexts = {
    kind: "unreadable",
    description: "takes too much time or memory to read; import it in parts.",
  };
  return new Promise((resolve) => {
    const settle = (texts: EntryTexts) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // An error of a terminated thread must not end the process.
      worker.on("error", () => {});
      void worker.terminate();
      resolve(texts);
    };
    const timer = setTimeout(() => settle(tooLong), TIMEOUT_MS);
    worker.on("message", (message: { readonly texts: EntryTexts } | { readonly "watch:import": unknown }) => {
      if ("texts" in message) settle(message.texts);
    });
    worker.on("error", () => settle(tooLong));
    worker.on("exit", () => settle(tooLong));
    worker.postMessage(text);
  });
}
