import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isGenerated, PACKAGE_PARTS } from "../generate.mjs";
import { withCheckoutLock } from "./checkout-lock.mjs";
import { generateCode } from "./generated.mjs";
import { installBeside, installHere } from "./install.mjs";
import { lockedPackages, staleReason } from "./locked-packages.mjs";
import { bringsNode, findNode, lacksNode, nodeMajor, partsOfNode, takeNodeFrom } from "./node.mjs";
import { unpackParts } from "./package-parts.mjs";
import { fail, ROOT, stopping } from "./progress.mjs";

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

/** npm unpacks one package after the other, so that something else at the same time takes little time of its own. */
async function prepareToRun() {
  const reason = staleReason(RUNNING);
  const installed = reason
    ? installHere(RUNNING, `installing what the server runs with (${reason}; about half a minute)`)
    : Promise.resolve();
  const both = await Promise.allSettled([installed, prepareBeside(Boolean(reason), installed)]);
  const failed = both.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

/** Generates code, and brings Node, with packages of another folder, unless those of the checkout are there and stay. */
async function prepareBeside(reinstalls, installed) {
  const needsNode = lacksNode() || (reinstalls && bringsNode());
  const needsCode = !isGenerated();
  const isHere = !reinstalls && !staleReason(GENERATING);
  const needed = { generator: needsCode && !isHere, node: needsNode };
  const folder = needed.generator || needed.node ? await bringBeside(needed) : undefined;
  try {
    const node = findNode(needsNode ? folder : ROOT);
    if (needsCode) await generateCode(node, isHere ? ROOT : folder);
    await installed;
    if (needsNode) takeNodeFrom(folder);
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

/** Brings what generates code, or Node, or both, into a folder: of each package what is read, or whole packages where that cannot be done. */
async function bringBeside({ generator, node }) {
  const names = [...(node ? ["Node 24"] : []), ...(generator ? ["what generates code"] : [])].join(" and ");
  try {
    const parts = { ...(node ? partsOfNode() : {}), ...(generator ? PACKAGE_PARTS : {}) };
    return await unpackParts("generation", parts, `fetching ${names}`);
  } catch (error) {
    if (stopping.signal.aborted) throw error;
    process.stderr.write(`frontdesk: ${error.message}\n`);
    const workspaces = [...(generator ? GENERATING : []), ...(node ? [""] : [])];
    return installBeside("generation", workspaces, `installing ${names}`);
  }
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
