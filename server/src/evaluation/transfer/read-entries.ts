import { extname } from "node:path";
import { createJobThread, createPauses } from "#base";
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

async function readInThread(text: string): Promise<EntryTexts> {
  const run = createJobThread<string, EntryTexts>({
    file: new URL(`./entry-worker${extname(import.meta.filename)}`, import.meta.url),
    name: "evaluations",
    timeoutMs: TIMEOUT_MS,
    heapMb: HEAP_MB,
  });
  const description = "takes too much time or memory to read; import it in parts.";
  return (await run(text)) ?? { kind: "unreadable", description };
}
