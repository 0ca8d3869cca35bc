import { glob, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ToolKey, toolFolder } from "./tool-folder.ts";

/** A file that was uploaded for a tool. */
export interface SharedFile {
  readonly name: string;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Where uploaded files are kept for all servers; each has copies in its own folder, which is what is searched. */
export interface SharedFiles {
  /** Those of a tool of an app that exists. */
  list(key: ToolKey): Promise<readonly SharedFile[]>;
  /** Undefined, with a line in the log, when the bytes are not those that were uploaded. */
  read(key: ToolKey, file: SharedFile): Promise<Uint8Array | undefined>;
  /** Keeps a file in place of one of the same name. Rejects with ABORTED when another server changes it meanwhile. */
  put(key: ToolKey, name: string, bytes: Uint8Array): Promise<void>;
  /** Whether there was such a file. */
  remove(key: ToolKey, name: string): Promise<boolean>;
}

/** Makes the folder of a tool have the files that were uploaded, wherever that was. Files that the operator put there stay. */
export type MirrorFiles = (key: ToolKey) => Promise<void>;

/** The file of a folder that says which of its files are copies. Names that begin with a dot are not searched. */
const COPIES = ".uploaded.json";
/** From the names of copies to the SHA-256 of what was copied. */
type Copies = Readonly<Record<string, string>>;

/** Creates the mirror. Calls for one folder that come while it works share one run after it, which sees what they wrote. */
export function createMirror(filesFolder: string, shared: SharedFiles): MirrorFiles {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();

  function mirror(key: ToolKey): Promise<void> {
    const folder = join(filesFolder, toolFolder(key));
    const current = running.get(folder);
    if (!current) {
      const work = mirrorInto(folder, key, shared).finally(() => running.delete(folder));
      running.set(folder, work);
      return work;
    }
    const known = waiting.get(folder);
    if (known) return known;
    const next = current
      .catch(() => {})
      .then(() => {
        waiting.delete(folder);
        return mirror(key);
      });
    waiting.set(folder, next);
    return next;
  }
  return mirror;
}

async function mirrorInto(folder: string, key: ToolKey, shared: SharedFiles): Promise<void> {
  const [files, known] = await Promise.all([shared.list(key), readCopies(folder)]);
  const copies: Record<string, string> = {};
  for (const file of files) {
    const bytes = known[file.name] === file.sha256 ? "known" : await shared.read(key, file);
    if (!bytes) continue;
    if (bytes !== "known") {
      await mkdir(folder, { recursive: true });
      await writeInPlace(folder, file.name, bytes);
      const changed = new Date(file.changedAt);
      await utimes(join(folder, file.name), changed, changed);
    }
    copies[file.name] = file.sha256;
  }
  const gone = Object.keys(known).filter((name) => !Object.hasOwn(copies, name));
  for (const name of gone) await rm(join(folder, name), { force: true });
  if (gone.length === 0 && files.every(({ name, sha256 }) => known[name] === sha256)) return;
  await mkdir(folder, { recursive: true });
  await writeInPlace(folder, COPIES, Buffer.from(JSON.stringify({ ...key, copies })));
}

/** Makes all folders with copies anew: those of a tool whose app was deleted go. */
export async function sweepCopies(filesFolder: string, mirror: MirrorFiles): Promise<void> {
  for await (const path of glob(`*/*/*/*/${COPIES}`, { cwd: filesFolder })) {
    const { app, tool } = await readList(join(filesFolder, path));
    if (app !== undefined && tool !== undefined) await mirror({ app, tool });
  }
}

/** Copies that are no longer there are none, and are made anew. */
async function readCopies(folder: string): Promise<Copies> {
  const [{ copies = {} }, names] = await Promise.all([readList(join(folder, COPIES)), readdir(folder).catch(() => [])]);
  const present = new Set(names);
  return Object.fromEntries(Object.entries(copies).filter(([name]) => present.has(name)));
}

/** One that is not there or is damaged says nothing, so that all is copied anew. */
async function readList(path: string): Promise<Partial<ToolKey> & { readonly copies?: Copies }> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return {};
  }
}

/** Names that begin with a dot are not indexed, so no partial file is. One file of a folder is written at a time. */
async function writeInPlace(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.upload-${process.pid}`);
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
