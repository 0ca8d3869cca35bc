import type { TestedCase } from "../suite/run-suite.ts";
import { abstentions, appFaults, countVerdicts, reasonLines, type SuiteReport } from "./suite-report.ts";

const STATUSES = { passed: "passed", failed: "failed", "not-measured": "skipped" } as const;

/** A run in the Common Test Report Format (CTRF 0.0.0): one test a case, with its attempts as retries. What was not measured is skipped. */
export function ctrfReport(report: SuiteReport): string {
  const { cases, gates, startTime, durationMs, subject, model } = report;
  const { total, passed, failed, notMeasured } = countVerdicts(cases.map(({ verdict }) => verdict));
  const questions = abstentions(cases);
  const faults = appFaults(cases);
  const start = Math.floor(startTime);
  const document = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: {
      tool: { name: "frontdesk eval" },
      summary: {
        tests: total,
        passed,
        failed,
        skipped: notMeasured,
        pending: 0,
        other: 0,
        start,
        stop: start + Math.ceil(durationMs),
      },
      tests: cases.map(toTest),
      environment: { appName: subject, extra: { model } },
      ...((gates || questions || faults.length > 0) && {
        extra: {
          ...(faults.length > 0 && { faults }),
          ...(questions && { questions: questions.of, abstained: questions.abstained }),
          gates: gates?.results.map(({ gate, verdict, explanation }) => ({ name: gate.name, verdict, explanation })),
          notes: gates?.notes,
        },
      }),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function toTest(tested: TestedCase) {
  const { test, attempts, verdict } = tested;
  const deciding = attempts.find((attempt) => attempt.verdict === verdict);
  const lines = deciding && verdict !== "passed" ? reasonLines(deciding) : [];
  return {
    name: test.name,
    status: STATUSES[verdict],
    duration: Math.round(attempts.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    suite: [test.file || test.kind],
    type: test.kind,
    ...(test.file !== "" && { filePath: test.file }),
    ...(test.tags.length > 0 && { tags: [...test.tags] }),
    ...(lines.length > 0 && { message: lines[0], trace: lines.join("\n") }),
    extra: {
      verdicts: attempts.map((attempt) => attempt.verdict),
      ...(test.kind === "question" && { abstained: attempts.some((attempt) => attempt.abstained) }),
      checks: (deciding?.checks ?? []).map((check) => ({ ...check })),
    },
  };
}
