import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger, PythonCall, PythonOutcome, RunOptions, Sandbox } from "../src/contract.ts";
import { createSandbox, type SandboxOptions } from "../src/create-sandbox.ts";

/** Where tests keep images: all test files of all runs share one build. */
export const TEST_CACHE = join(tmpdir(), "frontdesk-test-cache");

/** A logger that drops everything. */
export const SILENT: Logger = { info() {}, warn() {}, error() {} };

/** What a test may set of a run; the rest has quiet defaults. */
interface TestRun extends Partial<PythonCall>, RunOptions {}

/** A real sandbox with a short way to run a file. */
export interface TestSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Runs `code`'s first function. Each run is a group of its own unless `group` is given. */
  run(code: string, options?: TestRun): Promise<PythonOutcome>;
  /** The value that the first function returns; throws when it does not return. */
  value(code: string, options?: TestRun): Promise<unknown>;
}

/** A sandbox for one test file, with one guest unless told otherwise: most run one call after the other, and each guest takes half a second to start. */
export function createTestSandbox(options: Partial<SandboxOptions> = {}): TestSandbox {
  const limits = { cpuMs: 5_000, wallMs: 60_000 };
  const sandbox = createSandbox({ cacheFolder: TEST_CACHE, limits, maxGuests: 1, ...options });
  const run: TestSandbox["run"] = (code, options = {}) =>
    sandbox.run({ filename: "python_code.py", ...options, code }, options);
  return {
    sandbox,
    run,
    async value(code, settings) {
      const outcome = await run(code, settings);
      if (outcome.kind !== "returned") throw new Error(`the run ended with ${JSON.stringify(outcome)}`);
      return outcome.value;
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}
