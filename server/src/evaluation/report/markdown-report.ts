import { passRate } from "../statistics/pass-rate.ts";
import { shareText } from "../statistics/share-text.ts";
import type { TestedCase } from "../suite/run-suite.ts";
import { decidingAttempt, faultLines, numbersText, placeOf, reasonLines, type SuiteReport } from "./suite-report.ts";

const MARKS = { passed: "✅", failed: "❌", "not-measured": "⚪" } as const;
const WORDS = { passed: "passed", failed: "failed", "not-measured": "not measured" } as const;

/** What GitHub takes as a comment is 65,536 characters; the numbers and gates, which are always written, are below the rest. */
const MOST_CASES = 20_000;
const MOST_REASONS = 30_000;
/** Characters of the reasons of one case. */
const MOST_OF_ONE = 4_000;

/**
 * A run as Markdown, for a comment on a pull request: numbers, gates, and the reasons of what did not pass, folded (EVAL-34). Of many cases those
 * that did not pass are first, and what would make it too long for a comment is counted.
 */
export function markdownReport(report: SuiteReport): string {
  const { cases, gates, verdict, subject, model, durationMs } = report;
  const rate = passRate(cases.flatMap(({ attempts }) => attempts.map((attempt) => attempt.verdict)));
  const interval = rate.interval?.map(shareText).join(" to ");
  return [
    `## ${MARKS[verdict]} Evaluations of ${inline(subject)}: ${WORDS[verdict]}`,
    "",
    `${numbersText(report)}, in ${(durationMs / 1000).toFixed(1)} s with model ${code(model)}.`,
    ...(interval ? [`${rate.passed} of ${rate.n} runs passed (95 % interval ${interval}).`] : []),
    ...section(
      "Gates",
      ["gate", "verdict", "found"],
      (gates?.results ?? []).map((result) => [
        inline(result.gate.name),
        `${MARKS[result.verdict]} ${WORDS[result.verdict]}`,
        inline(result.explanation),
      ]),
    ),
    ...(gates?.notes ?? []).flatMap((note) => ["", inline(note)]),
    ...faults(cases),
    ...caseTable(cases),
    ...reasons(cases.filter((one) => one.verdict !== "passed")),
    "",
  ].join("\n");
}

function faults(cases: SuiteReport["cases"]): readonly string[] {
  const lines = faultLines(cases);
  return lines.length === 0 ? [] : ["", "### Failed in the app", "", ...lines.map((line) => `- ${inline(line)}`)];
}

/** The cases in their order where all can be listed, else those first that did not pass. */
function caseTable(cases: SuiteReport["cases"]): readonly string[] {
  const all = fitting(cases, rowOf, MOST_CASES);
  if (all.length === cases.length) return section("Cases", CASE_HEADS, all);
  const rank = ({ verdict }: TestedCase) => ["failed", "not-measured", "passed"].indexOf(verdict);
  const ranked = cases.toSorted((one, other) => rank(one) - rank(other));
  const rows = fitting(ranked, rowOf, MOST_CASES);
  const left = numbersText({ cases: ranked.slice(rows.length) });
  return [
    ...section("Cases", CASE_HEADS, rows),
    "",
    `${ranked.length - rows.length} more cases are not listed: ${left}.`,
  ];
}

const CASE_HEADS = ["case", "verdict", "passed", "kind"];

function rowOf(one: TestedCase): readonly string[] {
  const passed = one.attempts.filter((attempt) => attempt.verdict === "passed").length;
  const verdict = `${MARKS[one.verdict]} ${WORDS[one.verdict]}`;
  return [inline(one.test.name), verdict, `${passed} of ${one.attempts.length}`, inline(placeOf(one))];
}

/** Why cases did not pass. */
function reasons(cases: SuiteReport["cases"]): readonly string[] {
  const blocks = fitting(cases, reasonsOf, MOST_REASONS);
  const left = cases.length - blocks.length;
  const more = `The reasons of ${left} more cases that did not pass are in the other reports: --junit, --ctrf and --html.`;
  return [...blocks.flat(), ...(left > 0 ? ["", more] : [])];
}

function reasonsOf(one: TestedCase): readonly string[] {
  const attempt = decidingAttempt(one);
  const text = attempt ? reasonLines(attempt).join("\n") : "";
  const shown = text.length > MOST_OF_ONE ? `${text.slice(0, MOST_OF_ONE).toWellFormed()}\n…` : text;
  const summary = `<details><summary>${MARKS[one.verdict]} ${inline(one.test.name)}</summary>`;
  return ["", summary, "", ...fenced(shown), "", "</details>"];
}

/** The texts of cases, as many of the first ones as have at most so many characters together. */
function fitting(
  cases: SuiteReport["cases"],
  textsOf: (one: TestedCase) => readonly string[],
  most: number,
): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let length = 0;
  for (const one of cases) {
    const texts = textsOf(one);
    length += texts.reduce((sum, text) => sum + text.length + SEPARATOR, 0);
    if (length > most) break;
    found.push(texts);
  }
  return found;
}

/** Characters between two cells or lines, at most. */
const SEPARATOR = 3;

function section(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return ["", `### ${title}`, "", line(heads), line(heads.map(() => "---")), ...rows.map(line)];
}

/** Text on one line that is shown as it is: no markup, no mention, no end of a table cell. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|~#]/g, "\\$&")
    .replaceAll("@", "@\u{200B}");
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** A fence longer than any in the text. */
function fenced(text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, text, fence];
}
