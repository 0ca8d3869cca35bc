// The folder of the built console. While there is no console in it, a file tells the server what to say of that.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRunning } from "./checkout-lock.mjs";
import { ROOT } from "./progress.mjs";

const FOLDER = join(ROOT, "console", "dist");
const STAMP = join(FOLDER, ".stamp");
/** Read by `server/src/app/console/missing-console.ts`: `pid` of the process that builds, or `failed`. */
export const STATE = join(FOLDER, ".build.json");

/** Whether the console was built from these sources. */
export function holdsConsole(stamp) {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp;
}

/** Puts a console in place that was built from these sources elsewhere. */
export function putInPlace(built, stamp) {
  writeFileSync(join(built, ".stamp"), stamp);
  empty();
  renameSync(built, FOLDER);
}

/** Removes the console, and says why there is none: `{ pid }` builds it, or that was tried: `{ failed: true }`. */
export function markMissing(state) {
  empty();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${STATE}.new`, JSON.stringify(state));
  renameSync(`${STATE}.new`, STATE);
}

/** Removes the console and what was said of it. */
export function empty() {
  // On Windows a file that a server reads can be removed only when it has been read.
  rmSync(FOLDER, { recursive: true, force: true, maxRetries: 20 });
  mkdirSync(dirname(FOLDER), { recursive: true });
}

/** The process that builds the console at present, if another one does. */
export function otherBuilder() {
  if (!existsSync(STATE)) return undefined;
  const { pid } = JSON.parse(readFileSync(STATE, "utf8"));
  return pid !== undefined && pid !== process.pid && isRunning(pid) ? pid : undefined;
}
