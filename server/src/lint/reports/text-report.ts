import type { Finding, Severity } from "../contract.ts";
import type { LintResult } from "../lint-folder.ts";

/** Findings for people, one line each: `path:line:column: severity RULE message`, and the counts. */
export function textReport({ findings, fixed }: LintResult): string {
  const lines = findings.map(
    (finding) => `${placeOf(finding)}: ${finding.severity} ${finding.rule} ${finding.message}`,
  );
  return [...lines, ...(lines.length > 0 ? [""] : []), summary(findings, fixed)].join("\n");
}

function placeOf({ file, line, column }: Finding): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

function summary(findings: readonly Finding[], fixed: number): string {
  const counts = (["error", "warning", "info"] as const).map((severity) => counted(findings, severity));
  const fixable = findings.filter(({ fix }) => fix).length;
  const parts = [
    findings.length === 0 ? "no findings" : counts.join(", "),
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(fixable > 0 ? [`${fixable} can be fixed with --fix`] : []),
  ];
  return parts.join("; ");
}

function counted(findings: readonly Finding[], severity: Severity): string {
  const count = findings.filter((finding) => finding.severity === severity).length;
  return `${count} ${severity}${count === 1 ? "" : "s"}`;
}
