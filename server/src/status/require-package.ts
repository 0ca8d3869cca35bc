import { createRequire } from "node:module";
import { failedPrecondition } from "./status-errors.ts";

const require = createRequire(import.meta.url);

/** Makes sure that an optional dependency is installed. FAILED_PRECONDITION: what needs it, and how to install it. */
export function requirePackage(name: string, purpose: string): void {
  try {
    require.resolve(name);
  } catch {
    throw failedPrecondition(
      `${purpose} need the package '${name}', which is not installed on this server. Install it beside the server: npm install ${name}`,
      { reason: "PACKAGE_NOT_INSTALLED", metadata: { package: name } },
    );
  }
}
