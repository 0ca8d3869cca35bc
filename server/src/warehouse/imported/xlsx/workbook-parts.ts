import { Parser } from "htmlparser2";
import type { Entry } from "yauzl";
import { TableFileError } from "../table-file.ts";

/** Maximum bytes that the parts of a workbook may unpack to. */
const MAX_UNPACKED = 50 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** The XML parts of an open workbook. */
export interface Parts {
  has(name: string): boolean;
  /** A part as text, in chunks. Rejects with `TableFileError` where it is damaged, or all reads together exceed the limit. */
  text(name: string): AsyncIterable<string>;
}

/** Opens the zip file for the work and closes it afterwards. Unpacked bytes are counted while reading: declared sizes may be wrong. */
export async function openParts<Result>(file: string, work: (parts: Parts) => Promise<Result>): Promise<Result> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(file, { autoClose: false }).catch(damaged);
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new TableFileError(`it has more than ${MAX_ENTRIES} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    let unpacked = 0;
    return await work({
      has: (name) => entries.has(name),
      async *text(name) {
        const entry = entries.get(name);
        if (!entry) throw new TableFileError(`it has no part ${name}`);
        const decoder = new TextDecoder();
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          unpacked += (chunk as Buffer).length;
          if (unpacked > MAX_UNPACKED)
            throw new TableFileError(`it unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB`);
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

/** Errors of the zip reader about a damaged file. */
function damaged(error: unknown): never {
  if (!(error instanceof Error) || error instanceof TableFileError || error.constructor !== Error) throw error;
  throw new TableFileError(`it is not a valid workbook: ${error.message}`);
}

/** Deeper than any element of a workbook. */
const MAX_DEPTH = 64;

/** Called for elements, by their names without a namespace prefix. */
interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Parses a part while it is read. Document types and the entities they declare are ignored. */
export async function walkXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new TableFileError("its XML is nested too deeply");
        visitor.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth--;
        visitor.close?.(localName(name));
      },
      ontext: (text) => visitor.text?.(text),
    },
    { xmlMode: true },
  );
  for await (const piece of pieces) parser.write(piece);
  parser.end();
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
