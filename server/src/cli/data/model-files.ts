import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SourceFile } from "#app";
import { CommandError } from "../command.ts";

const MANIFESTS = ["semantic_manifest.json", "manifest.json"];
/** What dbt and package managers write; the tests that dbt compiled are read of it. */
const WRITTEN = new Set(["node_modules", "dbt_packages", "target", "logs"]);
const MAX_FILES = 5_000;
/** Bytes of all files together; dbt's manifest is the largest. */
const MAX_BYTES = 256_000_000;

/** The files of a model: one file, or all YAML files of a folder; beside them the manifest of dbt. */
export async function modelFiles(path: string): Promise<readonly SourceFile[]> {
  const isFolder = (await stat(path)).isDirectory();
  const paths = isFolder ? await filesOf(path) : withManifest(path);
  let bytes = 0;
  const files: SourceFile[] = [];
  for (const file of paths) {
    bytes += (await stat(file)).size;
    if (bytes > MAX_BYTES)
      throw new CommandError(`${path} has more than ${MAX_BYTES} bytes of models; name a file or folder in it.`);
    files.push({ path: file, text: await readFile(file, "utf8") });
  }
  return files;
}

function withManifest(path: string): readonly string[] {
  const beside = join(dirname(path), "manifest.json");
  return path.endsWith("semantic_manifest.json") && existsSync(beside) ? [path, beside] : [path];
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const own = MANIFESTS.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (own.some((file) => file.endsWith("semantic_manifest.json"))) return own;
  const compiled = join(folder, "target", "manifest.json");
  const found: string[] = existsSync(compiled) ? [compiled] : [];
  const visit = async (at: string): Promise<void> => {
    for (const entry of (await readdir(at, { withFileTypes: true })).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      if (entry.name.startsWith(".") || (entry.isDirectory() && WRITTEN.has(entry.name))) continue;
      if (entry.isDirectory()) await visit(join(at, entry.name));
      else if (/\.(ya?ml|lkml)$/.test(entry.name)) found.push(join(at, entry.name));
      if (found.length > MAX_FILES)
        throw new CommandError(`${folder} has more than ${MAX_FILES} files; name a folder in it.`);
    }
  };
  await visit(folder);
  return found;
}
