import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder in the order of their names, or the one file of a path; nothing where there is none. */
export function filesAt(path: string): readonly string[] {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((one) => one.isFile() || (one.isSymbolicLink() && leadsToFile(join(path, one.name))))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => join(path, name));
}

function leadsToFile(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Changes when the file does, or the log in which SQLite keeps the latest changes. */
export function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((entry) => `${entry?.mtimeMs}:${entry?.size}`)
    .join(" ");
}
