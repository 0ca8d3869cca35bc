import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "#base";
import { invalidArgument, notFound, resourceExhausted } from "#status";
import { kindOfFile } from "./documents/parse-document.ts";
import type { MirrorFiles, SharedFiles } from "./shared-files.ts";
import { type ToolKey, toolFolder } from "./tool-folder.ts";

/** A file that a tool searches. */
interface ToolFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The files of tools without a corpus. A stored file is found with the next query. Errors are google.rpc errors. */
export interface ToolFiles {
  list(key: ToolKey): Promise<readonly ToolFile[]>;
  /** Stores a file; it replaces one of the same name. */
  put(key: ToolKey, name: string, bytes: Uint8Array): Promise<ToolFile>;
  remove(key: ToolKey, name: string): Promise<void>;
}

/** Limit of a file, bytes. */
export const MAX_TOOL_FILE = 64 * 1024 * 1024;
/** Limits of the files of one tool: number and total bytes. */
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_NAME_BYTES = 200;
const EXTENSIONS = ".txt, .md, .html, .pdf, .docx, .csv, .tsv, .json, .jsonl";

/** Creates the store: uploaded files are kept for all servers, and copied into the folder of `search.files`, where the operator may have put others. */
export function createToolFiles(filesFolder: string, shared: SharedFiles, mirror: MirrorFiles): ToolFiles {
  const folderOf = (key: ToolKey) => join(filesFolder, toolFolder(key));
  const mirrored = async (key: ToolKey) => {
    await mirror(key);
    return filesIn(folderOf(key));
  };
  return {
    list: mirrored,
    put: async (key, name, bytes) => {
      checkName(name);
      checkContent(name, bytes);
      checkLimits(name, bytes, await mirrored(key));
      await shared.put(key, name, bytes);
      await mirror(key);
      return fileAt(folderOf(key), name);
    },
    remove: async (key, name) => {
      checkName(name);
      const known = await mirrored(key);
      const isShared = await shared.remove(key, name);
      if (!isShared && !known.some((file) => file.name === name)) throw notFound(name, "file");
      if (isShared) await mirror(key);
      else await rm(join(folderOf(key), name), { force: true });
    },
  };
}

async function filesIn(folder: string): Promise<readonly ToolFile[]> {
  const entries = (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  return Promise.all(names.sort().map((name) => fileAt(folder, name)));
}

async function fileAt(folder: string, name: string): Promise<ToolFile> {
  const { size, mtimeMs } = await stat(join(folder, name));
  return { name, sizeBytes: size, changedAt: mtimeMs };
}

/** A name must be one path segment on every operating system. */
function checkName(name: string): void {
  const plain = /^[\p{L}\p{N}_(][\p{L}\p{N}\p{M} ._()+,@-]*$/u.test(name) && !/[ .]$/.test(name);
  if (!plain || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalidArgument({
      field: "name",
      description: `must be a file name of letters, digits, spaces and ._-()+,@ of at most ${MAX_NAME_BYTES} bytes, without a folder`,
    });
  if (kindOfFile(name) === undefined)
    throw invalidArgument({
      field: "name",
      description: `must end in one of ${EXTENSIONS}: other files are not supported`,
    });
}

/** Checks the first bytes only; the whole file is parsed when it is indexed. */
function checkContent(name: string, bytes: Uint8Array): void {
  if (bytes.length === 0) throw invalidArgument({ field: "body", description: "is empty" });
  if (bytes.length > MAX_TOOL_FILE)
    throw invalidArgument({ field: "body", description: `is larger than ${MAX_TOOL_FILE} bytes` });
  const kind = kindOfFile(name);
  const begins = (text: string) => Buffer.from(bytes.subarray(0, 1_024)).includes(text, 0, "latin1");
  const isText = begins("\xff\xfe") || begins("\xfe\xff") || !bytes.subarray(0, 1_024).includes(0);
  const isValid = kind === "pdf" ? begins("%PDF-") : kind === "docx" ? begins("PK\x03\x04") : isText;
  if (!isValid)
    throw invalidArgument({ field: "body", description: `is not a ${kind} file, as the name '${name}' says` });
}

function checkLimits(name: string, bytes: Uint8Array, known: readonly ToolFile[]): void {
  const others = known.filter((file) => file.name !== name);
  const size = others.reduce((sum, file) => sum + file.sizeBytes, bytes.length);
  if (others.length >= MAX_FILES) throw resourceExhausted(`A tool has at most ${MAX_FILES} files.`);
  if (size > MAX_BYTES) throw resourceExhausted(`The files of a tool have at most ${MAX_BYTES} bytes.`);
}
