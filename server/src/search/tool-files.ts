import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { invalidArgument, notFound, resourceExhausted } from "#status";
import { kindOfFile } from "./documents/parse-document.ts";

/** A file that a tool searches. */
interface ToolFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The files of tools without a corpus. A stored file is found with the next query. Errors are google.rpc errors. */
interface ToolFiles {
  list(key: ToolKey): Promise<readonly ToolFile[]>;
  /** Stores a file; it replaces one of the same name. */
  put(key: ToolKey, name: string, bytes: Uint8Array): Promise<ToolFile>;
  remove(key: ToolKey, name: string): Promise<void>;
  /** Removes the files of all tools of an app, which is deleted. */
  removeApp(app: string): Promise<void>;
}

/** Limit of a file, bytes. */
export const MAX_TOOL_FILE = 64 * 1024 * 1024;
/** Limits of the files of one tool: number and total bytes. */
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_NAME_BYTES = 200;
const EXTENSIONS = ".txt, .md, .html, .pdf, .docx, .csv, .tsv, .json, .jsonl";

/** Creates the store below the folder of `search.files`. */
export function createToolFiles(filesFolder: string): ToolFiles {
  const folderOf = (key: ToolKey) => join(filesFolder, toolFolder(key));
  let written = 0;
  return {
    list: (key) => filesIn(folderOf(key)),
    put: async (key, name, bytes) => {
      checkName(name);
      checkContent(name, bytes);
      const folder = folderOf(key);
      checkLimits(name, bytes, await filesIn(folder));
      await mkdir(folder, { recursive: true });
      // Names that begin with a dot are not indexed, so no partial file is.
      const temporary = join(folder, `.upload-${process.pid}-${written++}`);
      try {
        await writeFile(temporary, bytes);
        await rename(temporary, join(folder, name));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return fileAt(folder, name);
    },
    remove: async (key, name) => {
      checkName(name);
      const known = await filesIn(folderOf(key));
      if (!known.some((file) => file.name === name)) throw notFound(name, "file");
      await rm(join(folderOf(key), name), { force: true });
    },
    removeApp: (app) => rm(join(filesFolder, appFolder(app)), { recursive: true, force: true }),
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

/** A file search tool: resource name of its app and its own display name. */
interface ToolKey {
  readonly app: string;
  readonly tool: string;
}

/**
 * The folder of a tool's files, relative to `search.files`: `<project>/<location>/<app id>/<tool name>`. Where a name has characters that are not
 * allowed in folder names, they are replaced and a digest of the name follows: no two tools share a folder (TOOL-34).
 */
export function toolFolder({ app, tool }: ToolKey): string {
  return `${appFolder(app)}/${folderName(tool)}`;
}

function appFolder(app: string): string {
  const [, project = "", , location = "", , id = ""] = app.split("/");
  return [project, location, id].map(folderName).join("/");
}

function folderName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]/gu, "_") || "_";
  return plain === name ? plain : `${plain}~${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
