import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";

/** All test files of all runs share one build of the Python image. */
const CACHE = join(tmpdir(), "frontdesk-test-cache");

/** The real sandbox. */
export function openSandbox(): { readonly sandbox: Sandbox; readonly close: () => Promise<void> } {
  const sandbox = createSandbox({ dataDir: CACHE, cacheDir: CACHE, logger: createLogger("silent") });
  return { sandbox, close: () => sandbox.close() };
}
