import { statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import { ifThere } from "#base";

/** The content of a file for a response. */
interface FileContent {
  readonly bytes: Uint8Array;
  /** When it was changed, milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Value of `content-encoding`; absent: not compressed. */
  readonly encoding?: "br" | "gzip";
}

/** Reads a file, compressed when the client accepts it; each file is compressed once. */
export type ReadCompressed = (file: string, acceptEncoding: string) => Promise<FileContent>;

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".map", ".svg", ".txt"]);
/** Bytes of one packet: smaller files are not compressed. */
const MIN_SIZE = 1_400;

/**
 * The build of the console writes `<file>.br`; what has none is compressed when it is first asked for. A package has `<file>.br` alone, which
 * is decompressed for the rare client that does not take it. Compressed files are cached until they change; console and documentation have a few megabytes of them.
 */
export function createCompressedFiles(): ReadCompressed {
  const cache = new Map<string, Promise<Uint8Array>>();
  return async (file, acceptEncoding) => {
    const stored = await storedFile(file);
    const { mtimeMs } = stored;
    const encoding = stored.worthwhile ? encodingOf(acceptEncoding) : undefined;
    if (!encoding) return { bytes: await readPlain(stored), mtimeMs };
    const key = `${encoding}:${mtimeMs}:${file}`;
    let compressed = cache.get(key);
    if (!compressed) {
      compressed = readCompressed(stored, encoding);
      compressed.catch(() => cache.delete(key));
      cache.set(key, compressed);
    }
    return { bytes: await compressed, encoding, mtimeMs };
  };
}

/** Whether there is this file, as it is or compressed. */
export function isStored(file: string): boolean {
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile(file) || isFile(`${file}.br`);
}

/** A file as it lies on the disk. */
interface StoredFile {
  readonly file: string;
  /** Undefined: only compressed, as `<file>.br`. */
  readonly size: number | undefined;
  readonly mtimeMs: number;
  /** Whether clients gain by getting it compressed. */
  readonly worthwhile: boolean;
}

async function storedFile(file: string): Promise<StoredFile> {
  const found = await ifThere(stat(file));
  if (!found) return { file, size: undefined, mtimeMs: (await stat(`${file}.br`)).mtimeMs, worthwhile: true };
  const { size, mtimeMs } = found;
  return { file, size, mtimeMs, worthwhile: size >= MIN_SIZE && COMPRESSIBLE.has(extname(file)) };
}

async function readPlain({ file, size }: StoredFile): Promise<Uint8Array> {
  return size === undefined ? decompressed(await readFile(`${file}.br`)) : readFile(file);
}

async function readCompressed(stored: StoredFile, encoding: "br" | "gzip"): Promise<Uint8Array> {
  const { file, size, mtimeMs } = stored;
  const built = encoding === "br" && (await ifThere(stat(`${file}.br`)));
  if (built && (size === undefined || built.mtimeMs >= mtimeMs)) return readFile(`${file}.br`);
  return compress(await readPlain(stored), encoding);
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
const decompressed = promisify(brotliDecompress);

function compress(bytes: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array> {
  return encoding === "br"
    ? brotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      })
    : gzipped(bytes);
}
