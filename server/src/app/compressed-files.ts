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

/**
 * The build of the console writes `<file>.br`; what has none is compressed when it is first asked for. Compressed files are cached
 * until they change; the console has a few megabytes of files.
 */
export function createCompressedFiles(): ReadCompressed {
  const cache = new Map<string, Promise<Uint8Array>>();
  return async (file, acceptEncoding) => {
    const { mtimeMs, size } = await stat(file);
    const encoding = size >= MIN_SIZE && COMPRESSIBLE.has(extname(file)) ? encodingOf(acceptEncoding) : undefined;
    if (!encoding) return { bytes: await readFile(file) };
    const key = `${encoding}:${mtimeMs}:${file}`;
    let compressed = cache.get(key);
    if (!compressed) {
      compressed = readCompressed(file, encoding, mtimeMs);
      compressed.catch(() => cache.delete(key));
      cache.set(key, compressed);
    }
    return { bytes: await compressed, encoding };
  };
}

async function readCompressed(file: string, encoding: "br" | "gzip", mtimeMs: number): Promise<Uint8Array> {
  const built = encoding === "br" && (await stat(`${file}.br`).catch(missing));
  if (built && built.mtimeMs >= mtimeMs) return readFile(`${file}.br`);
  return compress(await readFile(file), encoding);
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
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

/** Fast, for files that somebody edits. */
const QUALITY = 5;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

function compress(bytes: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array> {
  return encoding === "br"
    ? brotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      })
    : gzipped(bytes);
}
