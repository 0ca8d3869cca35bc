import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { ConnectError, invalidArgument } from "#status";
import { decodeText, type PackageFile } from "../package-files.ts";
import { pathProblem } from "./entry-path.ts";
import { PACKAGE_LIMITS, type PackageLimits } from "./package-limits.ts";

/**
 * The files of a zip, folders left out. Sizes are checked against `limits` before and while a file is inflated, names
 * before anything is read; the first thing wrong refuses the archive with INVALID_ARGUMENT naming the entry.
 */
export async function readZip(
  bytes: Uint8Array,
  limits: PackageLimits = PACKAGE_LIMITS,
): Promise<readonly PackageFile[]> {
  if (bytes.length > limits.archiveBytes) throw refused(`The zip is larger than ${limits.archiveBytes} bytes.`);
  const zip = await openZip(bytes);
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
    // Names stay bytes here: the library would quietly turn backslashes into slashes.
    return await fromBufferPromise(buffer, { decodeStrings: false });
  } catch (error) {
    throw refused(`The app content is not a zip archive: ${reasonOf(error)}`);
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
      if (found.size === limits.entries) throw refused(`The zip has more than ${limits.entries} entries.`);
      const path = entryPath(entry);
      if (found.has(path)) throw refusedEntry(path, "is in the zip twice");
      checkEntry(path, entry, limits);
      total += entry.uncompressedSize;
      if (total > limits.totalBytes) throw refused(`The zip unpacks to more than ${limits.totalBytes} bytes.`);
      found.set(path, { path, entry });
    }
  } catch (error) {
    throw error instanceof ConnectError ? error : refused(`The zip's directory is damaged: ${reasonOf(error)}.`);
  }
  return [...found.values()];
}

function entryPath(entry: Entry): string {
  // The file name of an entry is a Buffer because strings are not decoded; zip writers of today all write UTF-8.
  const raw = entry.fileNameRaw;
  const path = decodeText(raw);
  if (path === undefined) throw refusedEntry(raw.toString("latin1"), "has a name that is not UTF-8");
  const problem = pathProblem(path);
  if (problem !== undefined) throw refusedEntry(path, problem);
  return path;
}

const UNIX = 3;
const FILE_TYPE = 0o170000;
const PLAIN_TYPES: readonly number[] = [0, 0o100000, 0o040000];

function checkEntry(path: string, entry: Entry, limits: PackageLimits): void {
  const { compressedSize, uncompressedSize } = entry;
  const unixType = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (!PLAIN_TYPES.includes(unixType)) throw refusedEntry(path, "is a link or a device, not a file");
  if (entry.isEncrypted()) throw refusedEntry(path, "is encrypted");
  if (!entry.canDecodeFileData())
    throw refusedEntry(path, `uses compression method ${entry.compressionMethod}; store or deflate it`);
  if (uncompressedSize > limits.fileBytes) throw refusedEntry(path, `is larger than ${limits.fileBytes} bytes`);
  if (uncompressedSize > limits.ratioFromBytes && uncompressedSize > compressedSize * limits.ratio) {
    throw refusedEntry(path, `is compressed more than ${limits.ratio} times, as no text is`);
  }
}

async function inflate(zip: ZipFile, entry: Entry, path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    // The stream fails as soon as it carries more or fewer bytes than the directory declared, which bounds memory.
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw refusedEntry(path, `is damaged: ${reasonOf(error)}`);
  }
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw refusedEntry(path, "is damaged: its checksum does not fit");
  return bytes;
}

function refusedEntry(path: string, problem: string): Error {
  return refused(`Entry ${JSON.stringify(path)} ${problem}.`);
}

function refused(description: string): Error {
  return invalidArgument({ field: "app_content", description });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
