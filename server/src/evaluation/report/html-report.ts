import type { TestCheck } from "../suite/contract.ts";
import type { TestedCase } from "../suite/run-suite.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { decidingAttempt, faultLines, numbersText, placeOf, type SuiteReport } from "./suite-report.ts";

const WORDS = { passed: "passed", failed: "failed", "not-measured": "not measured" } as const;

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid #8886; border-radius: .4rem; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border-top: 1px solid #8886; padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; font: 13px/1.45 ui-monospace, monospace; }
.passed { color: #1a7f37; } .failed { color: #cf222e; } .not-measured { color: #9a6700; }
@media (prefers-color-scheme: dark) { .passed { color: #3fb950; } .failed { color: #ff7b72; } .not-measured { color: #d29922; } }
`;

/** A run as one HTML file without scripts or links: each case with expected and observed side by side, and the span that decided. */
export function htmlReport(report: SuiteReport): string {
  const { cases, gates, subject, model, durationMs, startTime, verdict } = report;
  const counts = numbersText(report);
  const title = `Evaluations of ${escapeMarkup(subject)}`;
  const rows = (gates?.results ?? []).map(
    ({ gate, verdict: found, explanation }) =>
      `<tr><td>${escapeMarkup(gate.name)}</td><td>${mark(found)}</td><td>${escapeMarkup(explanation)}</td></tr>`,
  );
  const notes = (gates?.notes ?? []).map((note) => `<p>${escapeMarkup(note)}</p>`);
  const faults = faultLines(cases).map((line) => `<li>${escapeMarkup(line)}</li>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body>
<h1>${title}: ${mark(verdict)}</h1>
<p>${counts}, in ${(durationMs / 1000).toFixed(1)} s with model ${escapeMarkup(model)}, ${new Date(startTime).toISOString()}</p>
${rows.length > 0 ? `<h2>Gates</h2>\n<table><tr><th>Gate</th><th>Verdict</th><th>Found</th></tr>${rows.join("")}</table>` : ""}
${notes.join("\n")}
${faults.length > 0 ? `<h2>Failed in the app</h2>\n<ul>${faults.join("")}</ul>` : ""}
<h2>Cases</h2>
${cases.map(caseOf).join("\n")}
</body>
</html>
`;
}

function caseOf(tested: TestedCase): string {
  const { test, attempts, verdict } = tested;
  const passed = attempts.filter((attempt) => attempt.verdict === "passed").length;
  const attempt = decidingAttempt(tested);
  const checks = attempt?.checks ?? [];
  const problem = attempt?.problem ? `<p>${escapeMarkup(attempt.problem)}</p>` : "";
  const head = "<tr><th>Check</th><th>Expected</th><th>Observed</th><th>Why, and the span</th></tr>";
  const table = checks.length > 0 ? `<table>${head}${checks.map(checkRow).join("")}</table>` : "";
  const summary = `${mark(verdict)} ${escapeMarkup(test.name)} <small>${escapeMarkup(placeOf(tested))}, ${passed} of ${attempts.length} passed</small>`;
  return `<details${verdict === "passed" ? "" : " open"}><summary>${summary}</summary>${problem}${table}</details>`;
}

function checkRow({ title, verdict, expected, observed, explanation, span }: TestCheck): string {
  const cell = (text: string) => `<td><pre>${escapeMarkup(text)}</pre></td>`;
  const why = [explanation, span].filter((part) => part !== "").join("\n");
  return `<tr><td>${mark(verdict)} ${escapeMarkup(title)}</td>${cell(expected)}${cell(observed)}${cell(why)}</tr>`;
}

function mark(verdict: keyof typeof WORDS): string {
  return `<span class="${verdict}">${WORDS[verdict]}</span>`;
}
