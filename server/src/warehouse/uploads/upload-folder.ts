import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TablePath } from "../contract.ts";
import type { SourceMapping } from "../mapping/warehouse-config.ts";
import type { Conversions } from "./conversions.ts";

/** Ids of uploads, which are datasets of their project (CA-45). No part of one can lead out of the folder. */
const UPLOAD = /^upload_[0-9a-f]{16,64}$/;
const COLUMNS = "columns.json";

/** Whether a dataset has the tables of an uploaded file. */
export function isUpload(dataset: string): boolean {
  return UPLOAD.test(dataset);
}

/** Conversions of an upload by table. */
export type TableConversions = Readonly<Record<string, Conversions>>;

const PARTIAL = ".partial";
/** Milliseconds after which nobody writes a file any more. */
const ABANDONED_MS = 3_600_000;

/** Writes the file of an upload, whole or not at all; `file` is its name in the folder. On a full disk nothing of it stays (DB-61). */
export function writeUpload(folder: string, dataset: string, file: string, bytes: Uint8Array): void {
  const target = folderOf(folder, dataset);
  const partial = `${target}${PARTIAL}`;
  rmSync(partial, { recursive: true, force: true });
  try {
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    writeFileSync(join(partial, file), bytes, { mode: 0o600 });
    rmSync(target, { recursive: true, force: true });
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what a server left that was killed while it wrote a file. */
export function removeAbandoned(folder: string, now = Date.now()): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isPartial = name.endsWith(PARTIAL) && isUpload(name.slice(0, -PARTIAL.length));
    if (isPartial && statSync(path).mtimeMs < now - ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Whether the file of a dataset was uploaded. */
export function hasUpload(folder: string, dataset: string): boolean {
  return existsSync(folderOf(folder, dataset));
}

/** Removes the file of a dataset with all that is known of it. Nothing happens where there is none. */
export function removeUpload(folder: string, dataset: string): void {
  rmSync(folderOf(folder, dataset), { recursive: true, force: true });
}

/** How the columns of an upload are read from now on. */
export function writeConversions(folder: string, dataset: string, conversions: TableConversions): void {
  const target = join(folderOf(folder, dataset), COLUMNS);
  writeFileSync(`${target}${PARTIAL}`, JSON.stringify(conversions), { mode: 0o600 });
  renameSync(`${target}${PARTIAL}`, target);
}

/** How the columns of a table are read; none where nobody changed that. */
export function readConversions(folder: string, dataset: string, table: string): Conversions {
  const path = join(folderOf(folder, dataset), COLUMNS);
  if (!existsSync(path)) return {};
  const all = JSON.parse(readFileSync(path, "utf8")) as TableConversions;
  return Object.hasOwn(all, table) ? (all[table] ?? {}) : {};
}

/** The mappings of the uploads that tables are of: each is one file, whose tables are those of its dataset. */
export function uploadMappings(folder: string | undefined, paths: readonly TablePath[]): readonly SourceMapping[] {
  if (folder === undefined) return [];
  const named = new Map(
    paths.filter(([, dataset = ""]) => isUpload(dataset)).map((path) => [path.slice(0, 2).join("\0"), path]),
  );
  return [...named.values()].flatMap(([project = "", dataset = ""]) => {
    const file = fileOf(folder, dataset);
    return file === undefined ? [] : [{ name: [project, dataset] as const, path: file, upload: { folder, dataset } }];
  });
}

function fileOf(folder: string, dataset: string): string | undefined {
  const path = folderOf(folder, dataset);
  if (!existsSync(path)) return undefined;
  const name = readdirSync(path).find((one) => !one.startsWith(COLUMNS));
  return name === undefined ? undefined : join(path, name);
}

function folderOf(folder: string, dataset: string): string {
  if (!isUpload(dataset)) throw new Error("not the id of an upload");
  return join(folder, dataset);
}
