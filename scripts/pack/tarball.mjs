import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Packs a staged folder as `npm publish` would, into another folder. Sizes in bytes. */
export function writeTarball(folder, out) {
  openToAll(folder);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
  const done = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`npm pack failed in ${folder}:\n${done.stderr}`);
  const parsed = JSON.parse(done.stdout);
  const [{ filename, size, unpackedSize }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  return { file: join(out, filename), size, unpacked: unpackedSize };
}

/** Whoever packs may keep new files from others by a mask; whoever installs could then not read them, and the bytes would differ. */
function openToAll(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
  }
}
