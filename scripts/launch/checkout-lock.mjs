import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BUILD_FOLDER } from "./install.mjs";
import { stopping } from "./progress.mjs";

const LOCK = join(BUILD_FOLDER, "lock");

/** Does something that only one process of this checkout may do at a time. Others wait for it, and take over when it was killed. */
export async function withCheckoutLock(act) {
  let said;
  while (!take()) {
    const holder = holderOf(LOCK);
    if (holder !== undefined && !isRunning(holder)) rmSync(LOCK, { force: true });
    else if (holder !== said)
      process.stderr.write(`frontdesk: process ${holder} installs packages here; waiting (${LOCK})\n`);
    said = holder;
    await pause(200, undefined, { signal: stopping.signal });
  }
  try {
    return await act();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** Whether a process of this number runs, whoever it belongs to. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function take() {
  mkdirSync(dirname(LOCK), { recursive: true });
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** Undefined: it was released just now, or its number is not written yet. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8")) || undefined;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}
