import type { Findings } from "../findings.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { PackageFiles } from "../package-files.ts";

/**
 * The `pythonEnvFiles` manifest that exports carry since July 2026, always empty so far (PKG-8). Anything in it is
 * reported, for its meaning is not published. Answers the files it used.
 */
export function pythonEnvironmentFile(files: PackageFiles, findings: Findings): readonly string[] {
  const paths = ["json", "yaml", "yml"]
    .map((ending) => `pythonEnvFiles/pythonEnvFiles.${ending}`)
    .filter((path) => files.has(path));
  for (const path of paths) {
    const json = parseManifest(path, files.get(path) ?? new Uint8Array(), findings);
    if (json && Object.keys(json).length > 0)
      findings.warnings.push(`${path}: is known to be empty only; its content was ignored.`);
  }
  return paths;
}
