import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const { PACKAGE_PARTS } = await import(join(ROOT, "scripts", "generate.mjs"));

/**
 * Packs what the generator reads of its packages, as they are installed here, into this folder, under the names that npm gives. Returns the text of a lock
 * file with their hashes.
 */
export function packGenerator(folder: string, lockFile: string): string {
  const lock = JSON.parse(readFileSync(lockFile, "utf8"));
  mkdirSync(folder, { recursive: true });
  for (const [path, files] of Object.entries<readonly string[]>(PACKAGE_PARTS)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const locked = lock.packages[path];
    const tarball = join(folder, `${name.replace("@", "").replace("/", "-")}-${locked.version}.tgz`);
    pack(join(ROOT, path), files, tarball);
    locked.integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  }
  return JSON.stringify(lock);
}

/** A tarball as npm makes them: all of it below `package/`. */
function pack(packageFolder: string, files: readonly string[], tarball: string): void {
  const link = `${tarball}.folder`;
  mkdirSync(link);
  symlinkSync(packageFolder, join(link, "package"));
  const members = files.length > 0 ? files.map((file) => `package/${file}`) : ["package"];
  execFileSync("tar", ["-chf", `${tarball}.tar`, "-C", link, "--exclude=node_modules", ...members]);
  writeFileSync(tarball, execFileSync("gzip", ["-1c", `${tarball}.tar`], { maxBuffer: 1 << 28 }));
  rmSync(link, { recursive: true });
  rmSync(`${tarball}.tar`);
}
