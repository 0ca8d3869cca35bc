import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Aborted by a signal, or when the program has ended: the steps that run then end, too. */
export const stopping = new AbortController();

/** Ends the launch with an error message. */
export function fail(sentence) {
  throw new Error(sentence);
}

/** Of a step that runs beside a server: it takes what processor time others leave. */
const BACKGROUND_PRIORITY = 5;

/**
 * Runs a long step: prints its title, the elapsed time every five seconds, and its output when it fails. A step in the background prints only
 * its title.
 */
export function runStep(title, command, args, { cwd = ROOT, failure, background = false }) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  process.stderr.write(`frontdesk: ${title} …\n`);
  const print = () => process.stderr.write(`frontdesk: ${title}, ${seconds()} s\n`);
  const ticker = background ? undefined : setInterval(print, 5_000);
  const child = spawn(command, args, {
    cwd,
    signal: stopping.signal,
    stdio: ["ignore", "pipe", "pipe"],
    // On Windows npm is a script of the shell.
    shell: process.platform === "win32" && command === "npm",
  });
  if (background) lowerPriority(child.pid);
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-8_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      if (error.name === "AbortError") return; // It exits.
      settle(() => reject(new Error(`${failure} (${command}: ${error.message})`)));
    });
    // At the exit the last of the output may not have been read.
    child.on("close", (code) =>
      settle(() => (code === 0 ? resolve() : reject(new Error(`${failure}\n${output.trim()}`)))),
    );
    function settle(finish) {
      clearInterval(ticker);
      finish();
    }
  });
}

function lowerPriority(pid) {
  try {
    setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // It could not be started, has ended, or the system does not allow it.
  }
}
