import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ROOT, runStep } from "./progress.mjs";

/** Installs the locked dependencies when they are missing or differ from package-lock.json. */
export async function ensureDependencies() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 18)
    fail(
      `Node ${process.versions.node} is too old to start with; any Node from 18 on will do (the server then brings its own).`,
    );
  const reason = staleReason();
  if (reason) await install(reason);
  linkWorkspaces();
}

async function install(reason) {
  await runStep(
    `installing dependencies (${reason}; about a minute)`,
    "npm",
    ["ci", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      failure: "The dependencies could not be installed; 'npm ci' said:",
    },
  );
}

/** npm records what it installed in node_modules/.package-lock.json: up to date means the same packages at the same versions. */
function staleReason() {
  const installedFile = join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(installedFile)) return "first start";
  const wanted = packagesOf(join(ROOT, "package-lock.json"));
  const installed = packagesOf(installedFile);
  for (const [path, { version, optional, devOptional, link }] of Object.entries(wanted)) {
    if (!path.includes("node_modules/") || link) continue;
    const present = installed[path];
    if (!present && (optional || devOptional)) continue;
    if (present?.version !== version) return "package-lock.json changed";
  }
  return undefined;
}

/**
 * Links the workspaces that node_modules does not have yet: a checkout that was installed before a workspace was added needs
 * nothing but the link. npm's own record does not show it, because links have no version.
 */
function linkWorkspaces() {
  for (const [path, { link, resolved }] of Object.entries(packagesOf(join(ROOT, "package-lock.json")))) {
    if (!link || existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    symlinkSync(join(ROOT, resolved), join(ROOT, path), "junction"); // for Windows; other systems ignore the type
  }
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
}
