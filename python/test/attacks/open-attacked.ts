import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { TEST_CACHE } from "../test-sandbox.ts";
import type { AttackedSandbox } from "./attack-runner.ts";
import { tenantProbe } from "./tenant-probe.ts";

/** The package's own sandbox, with its default program, to be attacked. */
export function openAttacked(options: Partial<SandboxOptions> = {}): AttackedSandbox {
  const sandbox = createSandbox({ cacheFolder: TEST_CACHE, maxGuests: 2, ...options });
  return {
    probe: tenantProbe({
      classes: ["type(host)", "type(logger)"],
      works: "type(host).__name__",
      volatile: ["user_code"],
    }),
    close: () => sandbox.close(),
    run: ({ code, entry, keyword, ...options }) =>
      sandbox.run({ code, filename: "python_code.py", entry, keyword }, options),
  };
}
