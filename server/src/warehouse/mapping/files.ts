import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder in the order of their names, or the one file of a path; empty where there is none. */
export function listFiles(path: string): readonly string[] {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((one) => one.isFile() || (one.isSymbolicLink() && linksToFile(join(path, one.name))))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => join(path, name));
}

function linksToFile(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Times and sizes of a file and of SQLite's write-ahead log beside it: differs when either has changed. */
export function fileFingerprint(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((entry) => `${entry?.mtimeMs}:${entry?.size}`)
    .join(" ");
}
