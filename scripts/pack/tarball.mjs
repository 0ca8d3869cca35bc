import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Packs a staged folder as `npm publish` would, into another folder. Sizes in bytes. */
export function writeTarball(folder, out) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
  const done = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`npm pack failed in ${folder}:\n${done.stderr}`);
  const parsed = JSON.parse(done.stdout);
  const [{ filename, size, unpackedSize }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  return { file: join(out, filename), size, unpacked: unpackedSize };
}
