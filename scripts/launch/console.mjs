import { rmSync } from "node:fs";
import { join } from "node:path";
import { withCheckoutLock } from "./checkout-lock.mjs";
import { empty, holdsConsole, markMissing, otherBuilder, putInPlace, STATE } from "./console-folder.mjs";
import { copySourcesTo, sourceStamp } from "./console-sources.mjs";
import { BUILD_FOLDER, installBeside } from "./install.mjs";
import { staleReason } from "./locked-packages.mjs";
import { ROOT, runStep, stopping } from "./progress.mjs";

/** The workspace whose packages build the console. */
const BUILDER = "console";

/** Builds the web console when it is missing or its sources changed. */
export async function ensureConsole(node) {
  const stamp = sourceStamp();
  if (!holdsConsole(stamp)) putInPlace(await build(node, ROOT), stamp);
}

/**
 * The same while a server runs, which says meanwhile that the console is being built. It begins when `warm` resolves, to leave the processor to the server's
 * start. Its packages are installed beside those of the server, and removed afterwards. A failure is printed, and shown by the server.
 */
export async function buildConsoleMeanwhile(node, warm) {
  try {
    const stamp = sourceStamp();
    if (holdsConsole(stamp) || !(await withCheckoutLock(isMineToBuild))) return;
    await warm;
    stopping.signal.throwIfAborted();
    const begun = Date.now();
    putInPlace(await buildBeside(node), stamp);
    say(`the console is ready, after ${Math.round((Date.now() - begun) / 1000)} s`);
  } catch (error) {
    if (stopping.signal.aborted) empty();
    else report(error);
  }
}

/** Another process of this checkout may have begun. */
function isMineToBuild() {
  const builder = otherBuilder();
  if (builder === undefined) markMissing({ pid: process.pid });
  else say(`process ${builder} is building the console (${STATE})`);
  return builder === undefined;
}

async function buildBeside(node) {
  const background = true;
  if (!staleReason([BUILDER])) return build(node, ROOT, { background });
  const folder = join(BUILD_FOLDER, BUILDER);
  try {
    await installBeside(BUILDER, [BUILDER], "installing what builds the console", { background });
    copySourcesTo(folder);
    return await build(node, folder, { background });
  } finally {
    remove(folder);
  }
}

/** Builds it from the sources and with the packages of this folder. Returns where it is. */
async function build(node, folder, options) {
  const built = join(BUILD_FOLDER, `console.${process.pid}`);
  const vite = join(folder, "node_modules", "vite", "bin", "vite.js");
  const args = ["build", join(folder, "console"), "--outDir", built, "--emptyOutDir", "--logLevel", "error"];
  try {
    await runStep("building the console", node, [vite, ...args], {
      ...options,
      failure: "The console could not be built; Vite said:",
    });
    return built;
  } catch (error) {
    remove(built);
    throw error;
  }
}

function report({ message }) {
  try {
    markMissing({ failed: true });
  } catch {
    // Nothing can be written here, which the message says.
  }
  say(`there is no console: ${message}\nfrontdesk: the server runs without it; 'npm start' tries again.`);
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

function say(sentence) {
  process.stderr.write(`frontdesk: ${sentence}\n`);
}
