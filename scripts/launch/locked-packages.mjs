import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { neededPackages } from "./needed-packages.mjs";
import { ROOT } from "./progress.mjs";

/** What npm installed, as it records it. */
const RECORD = join(ROOT, "node_modules", ".package-lock.json");

let locked;

/** Packages by their path, as package-lock.json has them. */
export function lockedPackages() {
  locked ??= JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages ?? {};
  return locked;
}

/**
 * Why the packages of these workspaces have to be installed (without workspaces: all packages). Undefined: the same packages are installed at
 * the same versions as in package-lock.json.
 */
export function staleReason(workspaces) {
  if (!existsSync(RECORD)) return "first start";
  const wanted = lockedPackages();
  const installed = JSON.parse(readFileSync(RECORD, "utf8")).packages ?? {};
  for (const path of workspaces ? neededPackages(wanted, workspaces) : allPackages(wanted)) {
    const { version, optional, devOptional, link } = wanted[path];
    if (link) continue;
    const present = installed[path];
    if (!present && (optional || devOptional)) continue;
    if (!present) return "some are missing";
    if (present.version !== version) return "package-lock.json changed";
  }
  return undefined;
}

function allPackages(packages) {
  return Object.keys(packages).filter((path) => path.includes("node_modules/"));
}
