import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { thrownMessage } from "#base";
import { ConnectError, invalidArgument } from "#status";
import { decodeText, type PackageFile } from "../package-files.ts";

/**
 * How large a package can be. The hosted product does not publish its limits (PKG-4); these are far above the
 * largest known packages and far below what could overload this server.
 */
export interface PackageLimits {
  /** Bytes of the zip itself. */
  readonly archiveBytes: number;
  /** Files and folders. */
  readonly entries: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files together. */
  readonly totalBytes: number;
  /** Unpacked bytes per packed byte, for files above `ratioFromBytes`: text rarely has more than 20, a zip bomb has 1,000. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

const MEBIBYTE = 1024 * 1024;

/** The default limits. */
export const PACKAGE_LIMITS: PackageLimits = {
  archiveBytes: 64 * MEBIBYTE,
  // A zip has 65,534 without the 64-bit extension, which packages do not use (PKG-2).
  entries: 65_000,
  fileBytes: 16 * MEBIBYTE,
  totalBytes: 128 * MEBIBYTE,
  ratio: 200,
  ratioFromBytes: MEBIBYTE,
};

/**
 * The files of a zip, without folders. Sizes are checked against `limits` before and while a file is inflated, names before any file is
 * read. The first error is INVALID_ARGUMENT and names the entry.
 */
export async function readZip(
  bytes: Uint8Array,
  limits: PackageLimits = PACKAGE_LIMITS,
): Promise<readonly PackageFile[]> {
  if (bytes.length > limits.archiveBytes) throw zipError(`The zip is larger than ${limits.archiveBytes} bytes.`);
  const zip = await openZip(bytes);
  if (zip.entryCount > limits.entries)
    throw zipError(`The zip has ${zip.entryCount} entries; a package has at most ${limits.entries}.`);
  const entries = await listEntries(zip, limits);
  const files: PackageFile[] = [];
  for (const { path, entry } of entries) {
    if (!path.endsWith("/")) files.push({ path, bytes: await inflate(zip, entry, path) });
  }
  return files;
}

async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    // Names stay bytes here: the library would replace backslashes with slashes.
    return await fromBufferPromise(buffer, { decodeStrings: false });
  } catch (error) {
    throw zipError(`The app content is not a zip archive: ${thrownMessage(error)}`);
  }
}

interface NamedEntry {
  readonly path: string;
  readonly entry: Entry;
}

async function listEntries(zip: ZipFile, limits: PackageLimits): Promise<readonly NamedEntry[]> {
  const found = new Map<string, NamedEntry>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const path = entryPath(entry);
      if (found.has(path)) throw entryError(path, "is in the zip twice");
      checkEntry(path, entry, limits);
      total += entry.uncompressedSize;
      if (total > limits.totalBytes) throw zipError(`The zip unpacks to more than ${limits.totalBytes} bytes.`);
      found.set(path, { path, entry });
    }
  } catch (error) {
    throw error instanceof ConnectError ? error : zipError(`The zip's directory is damaged: ${thrownMessage(error)}.`);
  }
  return [...found.values()];
}

function entryPath(entry: Entry): string {
  // The file name of an entry is a Buffer because strings are not decoded; today's zip writers all write UTF-8.
  const raw = entry.fileNameRaw;
  const path = decodeText(raw);
  if (path === undefined) throw entryError(raw.toString("latin1"), "has a name that is not UTF-8");
  const problem = entryPathProblem(path);
  if (problem !== undefined) throw entryError(path, problem);
  return path;
}

const UNIX = 3;
const FILE_TYPE = 0o170000;
const PLAIN_TYPES: readonly number[] = [0, 0o100000, 0o040000];

function checkEntry(path: string, entry: Entry, limits: PackageLimits): void {
  const { compressedSize, uncompressedSize } = entry;
  const unixType = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (!PLAIN_TYPES.includes(unixType)) throw entryError(path, "is a link or a device, not a file");
  if (entry.isEncrypted()) throw entryError(path, "is encrypted");
  if (!entry.canDecodeFileData())
    throw entryError(path, `uses compression method ${entry.compressionMethod}; store or deflate it`);
  if (uncompressedSize > limits.fileBytes) throw entryError(path, `is larger than ${limits.fileBytes} bytes`);
  if (uncompressedSize > limits.ratioFromBytes && uncompressedSize > compressedSize * limits.ratio) {
    throw entryError(path, `is compressed more than ${limits.ratio} times`);
  }
}

async function inflate(zip: ZipFile, entry: Entry, path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    // The stream fails as soon as it has more or fewer bytes than the directory declares, which bounds memory.
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw entryError(path, `is damaged: ${thrownMessage(error)}`);
  }
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw entryError(path, "is damaged: its checksum does not match");
  return bytes;
}

function entryError(path: string, problem: string): Error {
  return zipError(`Entry ${JSON.stringify(path)} ${problem}.`);
}

function zipError(description: string): Error {
  return invalidArgument({ field: "app_content", description });
}

/**
 * Why an entry's name is no valid path in a package; undefined when it is one. Rejects every form that escapes the folder in a naive
 * extractor: the server writes no entry to a disk, but the folder commands of the CLI do.
 */
export function entryPathProblem(path: string): string | undefined {
  if (path === "") return "has no name";
  if (path.includes("\0")) return "has a NUL character in its name";
  if (path.includes("\\")) return "has a backslash in its name; parts are separated by '/'";
  if (path.startsWith("/")) return "is an absolute path";
  if (/^[A-Za-z]:/.test(path)) return "starts with a drive letter";
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "..")) return "leaves the package with '..'";
  if (parts.some((part) => part === "" || part === ".")) return "has an empty or '.' part in its name";
  return undefined;
}
