import { createHash } from "node:crypto";
import { existsSync, watch } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ifThere, isJsonObject, type JsonObject } from "#base";
import { SearchError } from "../contract.ts";
import { kindOfFile } from "../documents/parse-document.ts";
import { structData } from "../documents/parse-records.ts";
import { DocumentFault } from "../documents/parsed-document.ts";
import type { Language } from "../text/languages.ts";
import type { DocumentSource, SourceItem } from "./source.ts";

/** Limit of a file, bytes; larger ones are not indexed. */
const MAX_FILE = 64 * 1024 * 1024;
const MAX_FILES = 100_000;
/** File watchers miss changes on network drives, so the folder is also listed periodically. */
const REFRESH_MS = 60_000;
/** Metadata of the files in the folder, in the import format of Vertex AI Search. */
const METADATA = "metadata.jsonl";

/** A folder whose files are a data store. */
export interface FolderSettings {
  readonly folder: string;
  /** Prefix of a file's path in citations. Default: none. */
  readonly baseUrl?: string;
  /** Language of the documents. Default: detected for each file. */
  readonly language?: Language;
}

/**
 * The files of a folder and its subfolders. Symbolic links and names that begin with a dot are ignored.
 */
export function createFolderSource({ folder, baseUrl = "", language }: FolderSettings): DocumentSource {
  let watcher: ReturnType<typeof watch> | undefined;
  let listed = 0;
  return {
    refreshMs: REFRESH_MS,
    language,
    list: async () => {
      // Read before the listing, so that a file added meanwhile is found with the next query.
      listed = await modifiedAt(folder);
      return listFolder(folder, baseUrl);
    },
    isStale: async () => (await modifiedAt(folder)) !== listed,
    watch: (changed) => {
      // `list` reports a missing folder; it is watched once it exists.
      if (watcher || !existsSync(folder)) return;
      watcher = watch(folder, { recursive: true, persistent: false }, changed);
      watcher.on("error", () => {
        watcher?.close();
        watcher = undefined;
        changed();
      });
    },
    close: () => watcher?.close(),
  };
}

/** When an entry was last added to, removed from or replaced in the folder itself. */
async function modifiedAt(folder: string): Promise<number> {
  return (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
}

async function listFolder(folder: string, baseUrl: string): Promise<readonly SourceItem[]> {
  const known = await readMetadata(folder);
  const paths = await filesBelow(folder);
  const items = await Promise.all(paths.map((path) => toItem(folder, path, baseUrl, known)));
  return items.flatMap((item) => item ?? []);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  // The message may be shown to a model, so it names no path of the machine; the log has the cause.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new SearchError(`The configured folder cannot be read: ${cause.code ?? "it failed"}.`, { cause });
    },
  );
  const paths = entries
    .filter((entry) => entry.isFile() && kindOfFile(entry.name) !== undefined)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== METADATA && !path.split("/").some((part) => part.startsWith(".")));
  if (paths.length > MAX_FILES) throw new SearchError(`The configured folder has more than ${MAX_FILES} files.`);
  return paths;
}

async function toItem(
  folder: string,
  path: string,
  baseUrl: string,
  known: ReadonlyMap<string, JsonObject>,
): Promise<SourceItem | undefined> {
  const file = join(folder, path);
  const found = await ifThere(stat(file)); // gone since the listing
  if (!found) return undefined;
  const data = metadataOf(path, known);
  const uri = typeof data.url === "string" ? data.url : locate(path, baseUrl);
  return {
    path,
    stamp: `${found.size}:${found.mtimeMs}:${digest(JSON.stringify([data, uri]))}`,
    uri,
    title: typeof data.title === "string" ? data.title : titleOf(path),
    data,
    read: async () => {
      const kind = kindOfFile(path);
      if (!kind) throw new DocumentFault("files of this kind are not supported");
      if (found.size > MAX_FILE) throw new DocumentFault(`it is larger than ${MAX_FILE / 1024 / 1024} MB`);
      return { bytes: await readFile(file), kind };
    },
  };
}

function locate(path: string, baseUrl: string): string {
  if (baseUrl === "") return path;
  return `${baseUrl.replace(/\/+$/, "")}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

function titleOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(0, name.lastIndexOf(".")).replace(/[-_]+/g, " ");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** Metadata by the `content.uri` of its line: a path below the folder, or a URL that ends in one. */
async function readMetadata(folder: string): Promise<ReadonlyMap<string, JsonObject>> {
  const text = await ifThere(readFile(join(folder, METADATA), "utf8")).catch((cause: NodeJS.ErrnoException) => {
    throw new SearchError(`${METADATA} cannot be read: ${cause.code ?? "it failed"}.`, { cause });
  });
  const known = new Map<string, JsonObject>();
  for (const [at, line] of (text ?? "").split("\n").entries()) {
    if (line.trim() === "") continue;
    const record = parseLine(line, `${METADATA}, line ${at + 1}`);
    const uri = isJsonObject(record.content) ? record.content.uri : undefined;
    if (typeof uri === "string") known.set(uri, structData(record) ?? {});
  }
  return known;
}

function parseLine(line: string, where: string): JsonObject {
  try {
    const record: unknown = JSON.parse(line);
    if (isJsonObject(record)) return record;
  } catch {
    // Reported below, like a line that is not an object.
  }
  throw new SearchError(`${where} is not a JSON object.`);
}

function metadataOf(path: string, known: ReadonlyMap<string, JsonObject>): JsonObject {
  const exact = known.get(path);
  if (exact || known.size === 0) return exact ?? {};
  for (const [uri, data] of known) if (uri.endsWith(`/${path}`)) return data;
  return {};
}
