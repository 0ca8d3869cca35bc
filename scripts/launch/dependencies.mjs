import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { neededPackages } from "./needed-packages.mjs";
import { NEEDED_NODE, nodeMajor } from "./node.mjs";
import { fail, ROOT, runStep } from "./progress.mjs";

/** What npm installed, as it records it. */
const RECORD = join(ROOT, "node_modules", ".package-lock.json");

/** Workspaces that a server runs with, and those that generate code and build the console for it. */
const RUNNING = ["server", "python"];
const BUILDING = ["scripts", "console"];

/** What a command needs: all packages, or those that a server runs with and, while something has to be built, those that build. */
export const ALL = "all";
export const TO_RUN = "run";
export const TO_BUILD = "build";

/** Installs the locked dependencies of this kind when some are missing or differ from package-lock.json. */
export async function ensureDependencies(kind) {
  if (nodeMajor() < 18)
    fail(
      `Node ${process.versions.node} is too old to start with; any Node from 18 on will do (the server then brings its own).`,
    );
  const reason = staleReason(kind);
  if (reason) await install(kind, reason);
  linkWorkspaces();
}

/** Removes what was installed only to build, so that a clone that runs a server is small. A clone with all packages keeps them. */
export function removeBuilders() {
  const installed = installedPackages();
  if (!staleReason(ALL)) return;
  const needed = new Set(pathsOf(TO_RUN));
  // The record has the workspaces too, by the folders of their sources.
  const packages = Object.keys(installed).filter((path) => path.includes("node_modules/") && !installed[path].link);
  for (const path of packages.filter((path) => !needed.has(path))) {
    rmSync(join(ROOT, path), { recursive: true, force: true });
    delete installed[path];
  }
  // The headers of Node are for compilers.
  for (const path of packages.filter((path) => path.startsWith("node_modules/node-")))
    rmSync(join(ROOT, path, "include"), { recursive: true, force: true });
  removeDanglingCommands();
  const record = JSON.parse(readFileSync(RECORD, "utf8"));
  writeFileSync(RECORD, JSON.stringify({ ...record, packages: installed }, undefined, 2));
}

async function install(kind, reason) {
  await runStep(
    `installing dependencies (${reason}; about a minute)`,
    "npm",
    ["ci", ...partOf(kind), "--no-audit", "--no-fund", "--loglevel=error"],
    {
      failure: "The dependencies could not be installed; 'npm ci' said:",
    },
  );
}

function partOf(kind) {
  if (kind === ALL) return [];
  const root = bringsNode() ? ["--include-workspace-root"] : [];
  return ["--omit=dev", ...workspacesOf(kind).map((name) => `--workspace=${name}`), ...root];
}

function workspacesOf(kind) {
  return kind === TO_BUILD ? [...RUNNING, ...BUILDING] : RUNNING;
}

/** The root's packages that are not for development are builds of Node. */
function bringsNode() {
  return nodeMajor() < NEEDED_NODE;
}

function pathsOf(kind) {
  const locked = lockedPackages();
  if (kind === ALL) return Object.keys(locked).filter((path) => path.includes("node_modules/"));
  return neededPackages(locked, [...workspacesOf(kind), ...(bringsNode() ? [""] : [])]);
}

/** Up to date means the same packages at the same versions as in package-lock.json. */
function staleReason(kind) {
  if (!existsSync(RECORD)) return "first start";
  const [wanted, installed] = [lockedPackages(), installedPackages()];
  for (const path of pathsOf(kind)) {
    const { version, optional, devOptional, link } = wanted[path];
    if (link) continue;
    const present = installed[path];
    if (!present && (optional || devOptional)) continue;
    if (!present) return "some are missing";
    if (present.version !== version) return "package-lock.json changed";
  }
  return undefined;
}

/**
 * Links the workspaces that node_modules does not have yet: a checkout that was installed before a workspace was added needs
 * nothing but the link. npm's own record does not show it, because links have no version.
 */
function linkWorkspaces() {
  for (const [path, { link, resolved }] of Object.entries(lockedPackages())) {
    if (!link || existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    // As npm does: what Windows knows as a junction needs a whole path, and other links survive a checkout that moves.
    const to = join(ROOT, resolved);
    const windows = process.platform === "win32";
    symlinkSync(windows ? to : relative(dirname(join(ROOT, path)), to), join(ROOT, path), "junction");
  }
}

function removeDanglingCommands() {
  const folder = join(ROOT, "node_modules", ".bin");
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!existsSync(join(folder, name))) rmSync(join(folder, name));
}

function lockedPackages() {
  return JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages ?? {};
}

function installedPackages() {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")).packages ?? {}) : {};
}
