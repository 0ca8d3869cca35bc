import {
  decidingAttempt,
  faultLines,
  numbersText,
  placeOf,
  reasonLines,
  type SuiteReport,
  usedText,
} from "./suite-report.ts";

const MARKS = { passed: "✓", failed: "✗", "not-measured": "○" } as const;
const COLORS = { passed: 32, failed: 31, "not-measured": 33 } as const;

/** A run for people at a terminal: one line a case, reasons below those that did not pass, then the gates. */
export function terminalReport(report: SuiteReport, colors: boolean): string {
  const paint = (verdict: keyof typeof COLORS, text: string) =>
    colors ? `\u001b[${COLORS[verdict]}m${text}\u001b[0m` : text;
  const lines: string[] = [];
  for (const tested of report.cases) {
    const { attempts, verdict, test } = tested;
    const passed = attempts.filter((attempt) => attempt.verdict === "passed").length;
    const repeats = attempts.length > 1 ? `  ${passed} of ${attempts.length} passed` : "";
    lines.push(`${paint(verdict, MARKS[verdict])} ${test.name}  (${placeOf(tested)})${repeats}`);
    const attempt = verdict === "passed" ? undefined : decidingAttempt(tested);
    if (attempt)
      lines.push(
        ...reasonLines(attempt)
          .flatMap((line) => line.split("\n"))
          .map((line) => `    ${line}`),
      );
  }
  for (const { gate, verdict, explanation } of report.gates?.results ?? [])
    lines.push(`${paint(verdict, MARKS[verdict])} gate ${gate.name}: ${explanation}`);
  lines.push(...(report.gates?.notes ?? []).map((note) => `  ${note}`));
  const faults = faultLines(report.cases);
  if (faults.length > 0) lines.push("", "Failed in the app:", ...faults.map((line) => `  ${line}`));
  const seconds = (report.durationMs / 1000).toFixed(1);
  lines.push("", `${numbersText(report)} in ${seconds} s, model ${report.model}${usedText(report.used)}`);
  return `${lines.join("\n")}\n`;
}
