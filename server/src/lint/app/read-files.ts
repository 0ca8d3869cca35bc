import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "#base";
import { SourceText } from "./source-text.ts";

const TEXT_FILE = /\.(?:json|ya?ml|txt|py)$/;
const LEFT_OUT = new Set(["node_modules", "__pycache__"]);
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text files below a folder by their path in it, in code-point order; hidden entries, links and files that are not UTF-8 are left out.
 * `shownAs` comes before the paths of findings. A missing folder has no files.
 */
export async function readTextFiles(folder: string, shownAs: string): Promise<ReadonlyMap<string, SourceText>> {
  const files = new Map<string, SourceText>();
  for (const path of await textFilesBelow(folder, "")) {
    const text = decoded(await readFile(join(folder, path)));
    if (text !== undefined) files.set(path, new SourceText(`${shownAs}${path}`, text));
  }
  return files;
}

async function textFilesBelow(folder: string, path: string): Promise<readonly string[]> {
  const entries = (await ifThere(readdir(join(folder, path), { withFileTypes: true }))) ?? [];
  const found: string[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || LEFT_OUT.has(entry.name)) continue;
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await textFilesBelow(folder, inner)));
    else if (entry.isFile() && TEXT_FILE.test(entry.name)) found.push(inner);
  }
  return found;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
