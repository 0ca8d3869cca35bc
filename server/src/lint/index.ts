/** Static checks of an app in a folder, with the rules and ids of the toolkit's linter. */
export type { ImportFindings } from "./app/linted-app.ts";
export type { Finding } from "./contract.ts";
export { type LintRequest, type LintResult, lintFolder } from "./lint-folder.ts";
export { locateViolations, type PlacedViolation } from "./locate-violations.ts";
export { jsonReport } from "./reports/json-report.ts";
export { sarifReport } from "./reports/sarif-report.ts";
export { textReport } from "./reports/text-report.ts";
export { RULES } from "./rules.ts";
