import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder in the order of their names, or the one file of a path; nothing where there is none. */
export function filesAt(path: string): readonly string[] {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .map((name) => join(path, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Changes when the file does, or the log in which SQLite keeps the latest changes. */
export function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((entry) => `${entry?.mtimeMs}:${entry?.size}`)
    .join(" ");
}
