import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Packs a staged folder as `npm publish` would, into another folder. Sizes in bytes. */
export function writeTarball(folder, out) {
  openToAll(folder);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
  const done = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`npm pack failed in ${folder}:\n${done.stderr}`);
  const parsed = JSON.parse(done.stdout);
  const [{ filename, size, unpackedSize, files }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  requireAll(folder, new Set(files.map(({ path }) => path)));
  return { file: join(out, filename), size, unpacked: unpackedSize };
}

/** npm leaves out what a .gitignore names, among others, and says nothing. */
function requireAll(folder, packed) {
  const staged = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const names = staged.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"));
  const missing = names.filter((name) => !packed.has(name));
  if (missing.length > 0) throw new Error(`npm pack left out of ${folder}:\n${missing.join("\n")}`);
}

/** Whoever packs may keep new files from others by a mask; whoever installs could then not read them, and the bytes would differ. */
function openToAll(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
  }
}
