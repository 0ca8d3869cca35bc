import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The content of a file for a response. */
interface FileContent {
  readonly bytes: Uint8Array;
  /** Value of `content-encoding`; absent: not compressed. */
  readonly encoding?: "br" | "gzip";
}

/** Reads a file, compressed when the client accepts it; each file is compressed once. */
export type ReadCompressed = (file: string, acceptEncoding: string) => Promise<FileContent>;

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".map", ".svg", ".txt"]);
/** Bytes of one packet: smaller files are not compressed. */
const MIN_SIZE = 1_400;

/** Compressed files are cached until they change; the console has a few megabytes of files. */
export function createCompressedFiles(): ReadCompressed {
  const cache = new Map<string, Promise<Uint8Array>>();
  return async (file, acceptEncoding) => {
    const { mtimeMs, size } = await stat(file);
    const encoding = size >= MIN_SIZE && COMPRESSIBLE.has(extname(file)) ? encodingOf(acceptEncoding) : undefined;
    if (!encoding) return { bytes: await readFile(file) };
    const key = `${encoding}:${mtimeMs}:${file}`;
    let compressed = cache.get(key);
    if (!compressed) {
      compressed = readFile(file).then((bytes) => compress(bytes, encoding));
      compressed.catch(() => cache.delete(key));
      cache.set(key, compressed);
    }
    return { bytes: await compressed, encoding };
  };
}

/** The best encoding that the client accepts; `;q=0` means not accepted. */
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

/** 5 % smaller than quality 9. Each file is compressed once, off the main thread: 0.3 s of CPU for the first page. */
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
