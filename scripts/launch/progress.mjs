import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Ends the launch with an error message. */
export function fail(sentence) {
  throw new Error(sentence);
}

/** Runs a long step: prints its title, the elapsed time every five seconds, and its output when it fails. */
export function runStep(title, command, args, { env = process.env, failure } = {}) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  process.stderr.write(`frontdesk: ${title} …\n`);
  const ticker = setInterval(() => process.stderr.write(`frontdesk: ${title}, ${seconds()} s\n`), 5_000);
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-8_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", (error) => settle(() => reject(new Error(`${failure} (${command}: ${error.message})`))));
    child.on("exit", (code) =>
      settle(() => (code === 0 ? resolve() : reject(new Error(`${failure}\n${output.trim()}`)))),
    );
    function settle(finish) {
      clearInterval(ticker);
      finish();
    }
  });
}
