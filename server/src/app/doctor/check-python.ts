import { createLogger } from "#base";
import { createSandbox } from "#sandbox";
import type { Config } from "../config.ts";
import type { Finding } from "./finding.ts";

/** Whether user Python runs, and in what; builds the image when it is missing, as the first start would. */
export async function checkPython({
  dataDir,
  cacheDir,
  sandbox: settings,
}: Pick<Config, "dataDir" | "cacheDir" | "sandbox">): Promise<Finding> {
  const name = "python";
  const sandbox = createSandbox({ dataDir, cacheDir, logger: createLogger("silent"), ...settings, maxGuests: 1 });
  try {
    const module = await sandbox.inspect("def answer():\n    return 42\n");
    const { host, bubblewrap, warning } = sandbox.status();
    const where = `${host}${bubblewrap ? " in bubblewrap" : ""}`;
    if (module.kind === "broken")
      return {
        name,
        state: "fault",
        detail: `${where}: ${module.message}`,
        fix: `delete ${cacheDir}, from which the image is read`,
      };
    if (warning === undefined) return { name, state: "ok", detail: `sealed, ${where}` };
    return { name, state: "warning", detail: `sealed, ${where}: ${warning}`, fix: "see docs/security.md" };
  } finally {
    await sandbox.close();
  }
}
