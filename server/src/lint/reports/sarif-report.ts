import type { Finding, Severity } from "../contract.ts";
import type { LintResult } from "../lint-folder.ts";
import { RULES } from "../rules.ts";

const LEVELS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/** Findings as a SARIF 2.1.0 log, which code hosts show beside the lines. All rules are listed, so that indices do not change between runs. */
export function sarifReport({ findings }: LintResult, version: string): string {
  const driver = {
    name: "frontdesk lint",
    version,
    rules: RULES.map(({ id, name, severity, summary }) => ({
      id,
      name,
      shortDescription: { text: summary },
      defaultConfiguration: { level: LEVELS[severity] },
    })),
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results: findings.map(resultOf) }],
  };
  return JSON.stringify(log, null, 2);
}

function resultOf({ rule, severity, message, file, line, column }: Finding) {
  const region =
    line === undefined ? {} : { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } };
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level: LEVELS[severity],
    message: { text: message },
    locations: [
      { physicalLocation: { artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") }, ...region } },
    ],
  };
}
