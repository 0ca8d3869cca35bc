import { join } from "node:path";
import { createLogger } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";

/** The Python image is built once for all tests of a checkout. */
const CACHE = join(import.meta.dirname, "..", "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** The real sandbox: it is the product, so tests run on nothing else. Close it when the file is done. */
export function testSandbox(): Sandbox {
  return createSandbox({ dataDir: CACHE, cacheDir: CACHE, logger: createLogger("silent") });
}
