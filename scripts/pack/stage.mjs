import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../launch/progress.mjs";

/** Address of the repository that publishes: provenance is refused without it. Set by the workflow. */
const repository = process.env.FRONTDESK_REPOSITORY;

/** What all packages say of themselves. */
const COMMON = {
  ...(repository ? { repository: { type: "git", url: `git+${repository}.git` } } : {}),
  license: "Apache-2.0",
  type: "module",
  publishConfig: { access: "public", provenance: true },
};

/** A package.json of the checkout. */
export function readManifest(workspace) {
  return JSON.parse(readFileSync(join(ROOT, workspace, "package.json"), "utf8"));
}

/** An empty folder for the files of one package. */
export function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Copies files and folders of the checkout into a package, without tests. */
export function copyInto(folder, paths) {
  for (const [from, to] of Object.entries(paths)) {
    const filter = (path) => !/\.test\.\w+$|__pycache__|node_modules|\.stamp$/.test(path);
    cpSync(join(ROOT, from), join(folder, to), { recursive: true, filter });
  }
}

/** Writes the package.json of a package, which names no script: nothing runs when it is installed. */
export function writeManifest(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, ...COMMON }, undefined, 2)}\n`);
}

/** Writes a text file of a package. */
export function writeText(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Runs a program of the dependencies with this Node; throws with what it printed when it fails. */
export function runTool(bin, args, cwd = ROOT) {
  const done = spawnSync(process.execPath, [join(ROOT, "node_modules", bin), ...args], { cwd, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${bin} failed:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}
