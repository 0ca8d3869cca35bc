import type { LintResult } from "../lint-folder.ts";

/** Findings for programs, as one JSON object. */
export function jsonReport({ findings, fixed }: LintResult): string {
  const list = findings.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined }));
  return JSON.stringify({ findings: list, fixed }, null, 2);
}
