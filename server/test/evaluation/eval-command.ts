import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const MAIN = join(ROOT, "server/src/cli/main.ts");

/** The example package. */
export const EXAMPLE = join(ROOT, "examples/order-desk/app");

/** A finished command. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A temporary folder that `frontdesk eval` runs in; disposing it deletes it. */
export interface EvalFolder extends Disposable {
  readonly path: string;
  /** Writes a file and returns its path relative to the folder. */
  write(name: string, text: string): string;
  /** Runs `frontdesk eval` in the folder, without any provider of models. */
  run(...args: readonly string[]): Promise<CommandRun>;
}

/** Creates the folder. */
export function evalFolder(): EvalFolder {
  const path = mkdtempSync(join(tmpdir(), "frontdesk-eval-test-"));
  const env = { PATH: process.env.PATH, HOME: path, FRONTDESK_CACHE: join(ROOT, "node_modules/.cache/frontdesk") };
  return {
    path,
    write: (name, text) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
      return name;
    },
    run: (...args) => {
      const words = ["--disable-warning=ExperimentalWarning", MAIN, "eval", ...args];
      return new Promise((resolve) => {
        execFile(process.execPath, words, { cwd: path, env }, (error, out, err) =>
          resolve({ code: error ? Number(error.code) : 0, out, err }),
        );
      });
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
