import { createReadStream, createWriteStream, mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** How the bytes of a text file are read that is not UTF-8, which DuckDB reads by itself. */
export type TextEncoding = "utf-16le" | "utf-16be" | "windows-1252";

/** What the table of such a file is described with. Nothing in a file without a mark tells code pages apart. */
export const ENCODING_NOTES: Readonly<Record<TextEncoding, string>> = {
  "utf-16le": "The file is UTF-16.",
  "utf-16be": "The file is UTF-16.",
  "windows-1252":
    "The file is not UTF-8; it was read as Windows-1252, the code page of Western Europe. Where letters are wrong, save it as UTF-8.",
};

/** Bytes of a file that are looked at. */
const HEAD = 4_096;

/** UTF-16 by its mark, or by the zeros of letters and digits; undefined for any other text. */
export async function unicodeEncoding(file: string): Promise<"utf-16le" | "utf-16be" | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return unicodeOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** UTF-16 of the first bytes of a text. */
export function unicodeOf(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = head.length / 4;
  if (odd > most && even < odd / 10) return "utf-16le";
  return even > most && odd < even / 10 ? "utf-16be" : undefined;
}

/** Runs `read` with a copy of a file in UTF-8, in `folder`, which is removed afterwards. The copy is written as a stream. */
export async function withDecodedCopy<Result>(
  { file, encoding, folder }: { readonly file: string; readonly encoding: TextEncoding; readonly folder: string },
  read: (copy: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, `${process.pid}-${process.hrtime.bigint()}${extname(file).toLowerCase()}`);
  try {
    await pipeline(createReadStream(file), decoding(encoding), createWriteStream(copy));
    return await read(copy);
  } finally {
    rmSync(copy, { force: true });
  }
}

function decoding(encoding: TextEncoding): Transform {
  const decoder = new TextDecoder(encoding);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      done(null, decoder.decode(chunk, { stream: true }));
    },
    flush(done) {
      done(null, decoder.decode());
    },
  });
}
