import { passRate } from "../statistics/pass-rate.ts";
import { shareText } from "../statistics/share-text.ts";
import { decidingAttempt, numbersText, placeOf, reasonLines, type SuiteReport } from "./suite-report.ts";

const MARKS = { passed: "✅", failed: "❌", "not-measured": "⚪" } as const;
const WORDS = { passed: "passed", failed: "failed", "not-measured": "not measured" } as const;

/** A run as Markdown, for a comment on a pull request: numbers, gates, and the reasons of what did not pass, folded (EVAL-34). */
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
    ...section(
      "Cases",
      ["case", "verdict", "passed", "kind"],
      cases.map((one) => [
        inline(one.test.name),
        `${MARKS[one.verdict]} ${WORDS[one.verdict]}`,
        `${one.attempts.filter((attempt) => attempt.verdict === "passed").length} of ${one.attempts.length}`,
        inline(placeOf(one)),
      ]),
    ),
    ...cases
      .filter((one) => one.verdict !== "passed")
      .flatMap((one) => {
        const attempt = decidingAttempt(one);
        const reasons = attempt ? reasonLines(attempt).join("\n") : "";
        return [
          "",
          `<details><summary>${MARKS[one.verdict]} ${inline(one.test.name)}</summary>`,
          "",
          ...fenced(reasons),
          "",
          "</details>",
        ];
      }),
    "",
  ].join("\n");
}

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
