import type { TestedCase } from "../suite/run-suite.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { countVerdicts, reasonLines, type SuiteReport } from "./suite-report.ts";

/**
 * A run as JUnit XML, as CI systems read it: one suite for each file and one for the app's own evaluations, one test case for each attempt.
 * What was not measured is skipped (EVAL-4); gates are a suite of their own (EVAL-34).
 */
export function junitReport(report: SuiteReport): string {
  const files = Map.groupBy(report.cases, ({ test }) => test.file || report.subject);
  const suites = [...files].map(([name, cases]) => suite(name, cases.flatMap(attemptsOf), report));
  const gates = report.gates?.results.map(
    ({ gate, verdict, explanation }): JunitCase => ({
      name: gate.name,
      className: "gates",
      durationMs: 0,
      verdict,
      reason: explanation,
    }),
  );
  if (gates) suites.push(suite("gates", gates, report));
  const all = [...report.cases.flatMap(attemptsOf), ...(gates ?? [])];
  const attributes = `name="frontdesk eval" ${countAttributes(all)} errors="0" time="${seconds(report.durationMs)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join("")}</testsuites>\n`;
}

interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly durationMs: number;
  readonly verdict: TestedCase["verdict"];
  readonly reason: string;
  /** Of a failure; default "failed". */
  readonly type?: string;
}

function attemptsOf({ test, attempts }: TestedCase): readonly JunitCase[] {
  return attempts.map((attempt, position) => ({
    name: attempts.length > 1 ? `${test.name} (run ${position + 1})` : test.name,
    className: test.kind,
    durationMs: attempt.durationMs,
    verdict: attempt.verdict,
    reason: reasonLines(attempt).join("\n"),
    type: attempt.abstained ? "abstained" : "failed",
  }));
}

function suite(name: string, cases: readonly JunitCase[], { startTime }: SuiteReport): string {
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const timestamp = new Date(startTime).toISOString().slice(0, 19);
  const attributes = `name="${escapeMarkup(name)}" ${countAttributes(cases)} errors="0" skipped="${skipped(cases)}" time="${time}" timestamp="${timestamp}"`;
  return `  <testsuite ${attributes}>\n${cases.map(testCase).join("")}  </testsuite>\n`;
}

function testCase({ name, className, durationMs, verdict, reason, type = "failed" }: JunitCase): string {
  const attributes = `name="${escapeMarkup(name)}" classname="${escapeMarkup(className)}" time="${seconds(durationMs)}"`;
  const message = escapeMarkup(reason.split("\n", 1)[0] ?? "");
  if (verdict === "passed") return `    <testcase ${attributes}/>\n`;
  const child =
    verdict === "failed"
      ? `<failure message="${message}" type="${type}">${escapeMarkup(reason)}</failure>`
      : `<skipped message="${message}">${escapeMarkup(reason)}</skipped>`;
  return `    <testcase ${attributes}>${child}</testcase>\n`;
}

function countAttributes(cases: readonly JunitCase[]): string {
  const { total, failed } = countVerdicts(cases.map(({ verdict }) => verdict));
  return `tests="${total}" failures="${failed}"`;
}

function skipped(cases: readonly JunitCase[]): number {
  return countVerdicts(cases.map(({ verdict }) => verdict)).notMeasured;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
