import { join } from "node:path";
import { createLogger } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";

/** The Python image is built once per checkout. */
const CACHE = join(import.meta.dirname, "..", "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** The real sandbox, because it is part of the product. Close it at the end of the file. */
export function testSandbox(): Sandbox {
  return createSandbox({ dataDir: CACHE, cacheDir: CACHE, logger: createLogger("silent") });
}
