import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TEST_CACHE } from "#testing/engine";
import type { runCommand } from "../command-line.ts";

/** The example package. */
export const EXAMPLE = join(import.meta.dirname, "../../../examples/order-desk/app");

/** A finished command. */
interface EvalRun {
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
  run(...args: readonly string[]): Promise<EvalRun>;
}

/** Creates the folder. `run`: `runCommand`, or that of a `CommandLine`. */
export function evalFolder(run: typeof runCommand): EvalFolder {
  const path = mkdtempSync(join(tmpdir(), "frontdesk-eval-test-"));
  // One guest is started for each command; the second takes longer to start than all code here to run.
  const env = { PATH: process.env.PATH, HOME: path, FRONTDESK_CACHE: TEST_CACHE, FRONTDESK_SANDBOX_GUESTS: "1" };
  return {
    path,
    write: (name, text) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
      return name;
    },
    run: async (...args) => {
      const { code, stdout: out, stderr: err } = await run(["eval", ...args], { cwd: path, env });
      return { code, out, err };
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
