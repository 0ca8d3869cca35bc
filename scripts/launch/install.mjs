import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runStep } from "./progress.mjs";

/** Where packages are installed that only build: those that a server runs with stay as they are meanwhile. */
export const BUILD_FOLDER = join(ROOT, "dist", "build");

/**
 * Installs the locked packages of these workspaces (`""` is the root; without workspaces: all packages) into the checkout, in place of what
 * is installed.
 */
export function installHere(workspaces, title) {
  return npmCi(workspaces, title, { cwd: ROOT });
}

/** Installs the locked packages of these workspaces into a folder of its own below `BUILD_FOLDER`, and returns it. */
export async function installBeside(name, workspaces, title, options) {
  const folder = join(BUILD_FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  for (const file of manifests()) cpSync(join(ROOT, file), join(folder, file));
  try {
    await npmCi(workspaces, title, { ...options, cwd: folder });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    throw error;
  }
  return folder;
}

function npmCi(workspaces, title, options) {
  const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
  return runStep(title, "npm", ["ci", ...partOf(workspaces), ...flags], {
    ...options,
    failure: "The dependencies could not be installed; 'npm ci' said:",
  });
}

function partOf(workspaces) {
  if (!workspaces) return [];
  const named = workspaces.filter((name) => name !== "");
  if (named.length === 0) return ["--omit=dev", "--workspaces=false"];
  const root = named.length < workspaces.length ? ["--include-workspace-root"] : [];
  return ["--omit=dev", ...named.map((name) => `--workspace=${name}`), ...root];
}

/** npm compares the lock file with the manifests of all workspaces, whichever it installs. */
function manifests() {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return ["package.json", "package-lock.json", ...workspaces.map((name) => join(name, "package.json"))];
}
