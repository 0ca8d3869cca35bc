import type { Entry } from "yauzl";
import { TableFileFault } from "../table-file.ts";

/** Most that the parts read may unpack to, bytes. */
const MAX_UNPACKED = 50 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** The parts of an open workbook, as text in pieces. */
export interface Parts {
  has(name: string): boolean;
  /** Rejects with `TableFileFault` where the part is damaged, or all that was read is more than the bound. */
  text(name: string): AsyncIterable<string>;
}

/** Opens the zip for the work and closes it after. What it unpacks to is counted as it is read: declared sizes may lie. */
export async function openParts<Result>(file: string, work: (parts: Parts) => Promise<Result>): Promise<Result> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(file, { autoClose: false }).catch(damaged);
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new TableFileFault(`it has more than ${MAX_ENTRIES} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    let unpacked = 0;
    return await work({
      has: (name) => entries.has(name),
      async *text(name) {
        const entry = entries.get(name);
        if (!entry) throw new TableFileFault(`it has no part ${name}`);
        const decoder = new TextDecoder();
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          unpacked += (chunk as Buffer).length;
          if (unpacked > MAX_UNPACKED)
            throw new TableFileFault(`it unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB`);
          yield decoder.decode(chunk as Buffer, { stream: true });
        }
      },
    });
  } catch (error) {
    return damaged(error);
  } finally {
    zip.close();
  }
}

/** What the zip reader says of a damaged file. */
function damaged(error: unknown): never {
  if (!(error instanceof Error) || error instanceof TableFileFault || error.constructor !== Error) throw error;
  throw new TableFileFault(`it is no sound workbook: ${error.message}`);
}
