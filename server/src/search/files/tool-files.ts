import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { invalidArgument, notFound, resourceExhausted } from "#status";
import { kindOfFile } from "../documents/parse-document.ts";
import { managedFolder, type ToolPlace } from "./managed-folder.ts";

/** A file that a tool searches. */
export interface ToolFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The files of tools that have no corpus of their own: what is put here is found with the next question. Refusals are google.rpc errors. */
export interface ToolFiles {
  list(place: ToolPlace): Promise<readonly ToolFile[]>;
  /** Takes a file in place of one of the same name. */
  put(place: ToolPlace, name: string, bytes: Uint8Array): Promise<ToolFile>;
  remove(place: ToolPlace, name: string): Promise<void>;
}

/** Largest file, bytes. */
export const MAX_TOOL_FILE = 64 * 1024 * 1024;
/** Files of one tool, and bytes of all of them. */
const MOST_FILES = 1_000;
const MOST_BYTES = 1024 * 1024 * 1024;
const LONGEST_NAME = 200;
const ENDINGS = ".txt, .md, .html, .pdf, .docx, .csv, .tsv, .json, .jsonl";

/** Creates the store below the folder of `search.files`. */
export function createToolFiles(filesFolder: string): ToolFiles {
  const folderOf = (place: ToolPlace) => join(filesFolder, managedFolder(place));
  let written = 0;
  return {
    list: (place) => filesIn(folderOf(place)),
    put: async (place, name, bytes) => {
      checkName(name);
      checkContent(name, bytes);
      const folder = folderOf(place);
      checkRoom(name, bytes, await filesIn(folder));
      await mkdir(folder, { recursive: true });
      // Names that begin with a dot are not searched: nobody reads half a file.
      const waiting = join(folder, `.upload-${process.pid}-${written++}`);
      try {
        await writeFile(waiting, bytes);
        await rename(waiting, join(folder, name));
      } catch (error) {
        await rm(waiting, { force: true });
        throw error;
      }
      return fileAt(folder, name);
    },
    remove: async (place, name) => {
      checkName(name);
      const known = await filesIn(folderOf(place));
      if (!known.some((file) => file.name === name)) throw notFound(name, "file");
      await rm(join(folderOf(place), name), { force: true });
    },
  };
}

async function filesIn(folder: string): Promise<readonly ToolFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  return Promise.all(names.sort().map((name) => fileAt(folder, name)));
}

async function fileAt(folder: string, name: string): Promise<ToolFile> {
  const { size, mtimeMs } = await stat(join(folder, name));
  return { name, sizeBytes: size, changedAt: mtimeMs };
}

/** A name is one plain segment of a path, on every system. */
function checkName(name: string): void {
  const plain = /^[\p{L}\p{N}_(][\p{L}\p{N}\p{M} ._()+,@-]*$/u.test(name) && !/[ .]$/.test(name);
  if (!plain || Buffer.byteLength(name) > LONGEST_NAME)
    throw invalidArgument({
      field: "name",
      description: `must be a file name of letters, digits, spaces and ._-()+,@ of at most ${LONGEST_NAME} bytes, without a folder`,
    });
  if (kindOfFile(name) === undefined)
    throw invalidArgument({ field: "name", description: `must end in one of ${ENDINGS}: other files are not read` });
}

/** What the first bytes say; that the rest can be read is found out when it is indexed. */
function checkContent(name: string, bytes: Uint8Array): void {
  if (bytes.length === 0) throw invalidArgument({ field: "body", description: "is empty" });
  if (bytes.length > MAX_TOOL_FILE)
    throw invalidArgument({ field: "body", description: `is larger than ${MAX_TOOL_FILE} bytes` });
  const kind = kindOfFile(name);
  const begins = (text: string) => Buffer.from(bytes.subarray(0, 1_024)).includes(text, 0, "latin1");
  const isText = begins("\xff\xfe") || begins("\xfe\xff") || !bytes.subarray(0, 1_024).includes(0);
  const isSound = kind === "pdf" ? begins("%PDF-") : kind === "docx" ? begins("PK\x03\x04") : isText;
  if (!isSound)
    throw invalidArgument({ field: "body", description: `is no ${kind} file, which the name '${name}' says it is` });
}

function checkRoom(name: string, bytes: Uint8Array, known: readonly ToolFile[]): void {
  const others = known.filter((file) => file.name !== name);
  const size = others.reduce((sum, file) => sum + file.sizeBytes, bytes.length);
  if (others.length >= MOST_FILES) throw resourceExhausted(`A tool has at most ${MOST_FILES} files.`);
  if (size > MOST_BYTES) throw resourceExhausted(`The files of a tool have at most ${MOST_BYTES} bytes.`);
}
