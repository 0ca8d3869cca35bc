import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file as it is sent. */
export interface SentFile {
  readonly bytes: Uint8Array;
  /** Value of `content-encoding`; absent: as it lies on the disk. */
  readonly encoding?: "br" | "gzip";
}

/** Reads files, compressed where the client takes that; each is compressed once. */
export type ReadCompressed = (file: string, acceptEncoding: string) => Promise<SentFile>;

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".map", ".svg", ".txt"]);
/** A packet's worth: smaller files gain nothing. */
const SMALLEST = 1_400;

/** Creates the reader. What was compressed is kept until the file changes; the console has a few megabytes of files. */
export function createCompressedFiles(): ReadCompressed {
  const kept = new Map<string, Promise<Uint8Array>>();
  return async (file, acceptEncoding) => {
    const { mtimeMs, size } = await stat(file);
    const encoding = size >= SMALLEST && COMPRESSIBLE.has(extname(file)) ? encodingOf(acceptEncoding) : undefined;
    if (!encoding) return { bytes: await readFile(file) };
    const key = `${encoding}:${mtimeMs}:${file}`;
    let compressed = kept.get(key);
    if (!compressed) {
      compressed = readFile(file).then((bytes) => compress(bytes, encoding));
      compressed.catch(() => kept.delete(key));
      kept.set(key, compressed);
    }
    return { bytes: await compressed, encoding };
  };
}

/** The smallest encoding that the client takes; `;q=0` takes one away. */
function encodingOf(acceptEncoding: string): "br" | "gzip" | undefined {
  const accepted = new Set(
    acceptEncoding
      .split(",")
      .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(";")[0]?.trim().toLowerCase()),
  );
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : undefined;
}

/** A twentieth smaller than one step below. Each file costs that once, off the main thread: 0.3 s of processor for the first page. */
const QUALITY = 10;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

function compress(bytes: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array> {
  return encoding === "br"
    ? brotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      })
    : gzipped(bytes);
}
