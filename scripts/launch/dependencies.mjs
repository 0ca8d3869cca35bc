import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isGenerated } from "../generate.mjs";
import { withCheckoutLock } from "./checkout-lock.mjs";
import { generateCode } from "./generated.mjs";
import { installBeside, installHere } from "./install.mjs";
import { lockedPackages, staleReason } from "./locked-packages.mjs";
import { bringsNode, findNode, lacksNode, nodeMajor, takeNodeFrom } from "./node.mjs";
import { fail, ROOT } from "./progress.mjs";
import { buildPythonImage } from "./python-image.mjs";

/** Workspaces whose packages a server runs with, and whose packages generate code. */
const RUNNING = ["server", "python"];
const GENERATING = ["scripts"];

/** Installs what a server runs with (or everything), and generates code, when something is missing or stale. */
export async function ensureDependencies({ lean }) {
  if (nodeMajor() < 18)
    fail(
      `Node ${process.versions.node} is too old to start with; any Node from 18 on will do (the server then brings its own).`,
    );
  if (!isReady(lean))
    await withCheckoutLock(async () => isReady(lean) || (await (lean ? prepareToRun() : prepareAll())));
  linkWorkspaces();
}

function isReady(lean) {
  return !staleReason(lean ? RUNNING : undefined) && !lacksNode() && isGenerated();
}

async function prepareAll() {
  const reason = staleReason() ?? (lacksNode() ? "Node is missing" : undefined);
  if (reason) await installHere(undefined, `installing dependencies (${reason}; about a minute)`);
  linkWorkspaces();
  if (!isGenerated()) await generateCode(findNode(), ROOT);
}

/** npm unpacks one package after the other, so that two of them at the same time are nearly twice as fast. */
async function prepareToRun() {
  const reason = staleReason(RUNNING);
  const installed = reason
    ? installHere(RUNNING, `installing what the server runs with (${reason}; about half a minute)`)
    : Promise.resolve();
  await waitForAll([installed, prepareBeside(Boolean(reason), installed)]);
}

/**
 * Generates code, builds the image of Python, and brings Node, with packages of another folder, unless those of the checkout are there
 * and stay.
 */
async function prepareBeside(reinstalls, installed) {
  const needsNode = lacksNode() || (reinstalls && bringsNode());
  const needsCode = !isGenerated();
  const isHere = !reinstalls && !staleReason(GENERATING);
  const parts = [...(needsCode && !isHere ? GENERATING : []), ...(needsNode ? [""] : [])];
  const folder = parts.length > 0 ? await installBeside("generation", parts, titleOf(parts)) : undefined;
  try {
    const node = findNode(needsNode ? folder : ROOT);
    const generated = needsCode ? generateCode(node, isHere ? ROOT : folder) : Promise.resolve();
    await waitForAll([generated, installed.then(() => buildPythonImage(node))]);
    if (needsNode) takeNodeFrom(folder);
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

function titleOf(parts) {
  const names = parts.map((part) => (part === "" ? "Node 24" : "what generates code"));
  return `installing ${names.reverse().join(" and ")}`;
}

/** Waits for all, also when one fails. */
async function waitForAll(steps) {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
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
