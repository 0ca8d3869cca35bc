import type { TestedCase } from "#evaluation";
import type { Examination } from "../contract.ts";

/** Something that is wrong with a draft. */
interface DraftProblem {
  /** The same for the same fault in another draft. */
  readonly key: string;
  /** `error`: it does not run, or not as expected. `warning`: it runs. */
  readonly severity: "error" | "warning";
  /** One sentence or more, for the model and the author. */
  readonly text: string;
}

/** A tried draft: what is wrong with it, and which cases passed. */
export interface Measured {
  /** Whether an app can be stored as the draft is. If not, nothing but the reasons is known. */
  readonly isStorable: boolean;
  readonly problems: readonly DraftProblem[];
  readonly passed: ReadonlySet<string>;
  /** Cases of which nothing is known. */
  readonly unmeasured: readonly string[];
  /** What the draft asked for and did not get while it was tried, one sentence each. */
  readonly refused: readonly string[];
}

/** Rules that say nothing of a draft: a tool that is generated alone is used by nobody yet. */
type LeftOutRules = ReadonlySet<string>;

/** What an examination found, errors first. Hints of the linter are left out. */
export function measured(
  { violations, findings, cases, refusedOrigins }: Examination,
  leftOut: LeftOutRules = new Set(),
): Measured {
  const refused = violations.map((text): DraftProblem => ({ key: `import ${text}`, severity: "error", text }));
  const linted = findings.flatMap(({ rule, severity, file, line, message }): readonly DraftProblem[] => {
    if (severity === "info" || leftOut.has(rule)) return [];
    const place = line === undefined ? file : `${file}:${line}`;
    // What the validation says would not run, whatever the linter calls it.
    const grave = severity === "error" || rule === "P003" ? "error" : "warning";
    return [{ key: `${rule} ${file} ${message}`, severity: grave, text: `${place}: ${message} (${rule})` }];
  });
  const failed = cases.filter(({ verdict }) => verdict === "failed").map(failedCase);
  const all = [...refused, ...linted, ...failed];
  return {
    isStorable: violations.length === 0,
    problems: [
      ...all.filter(({ severity }) => severity === "error"),
      ...all.filter(({ severity }) => severity === "warning"),
    ],
    passed: namesOf(cases, "passed"),
    refused: refusedOrigins.map(
      (origin) => `Its code or tools asked for ${origin}, which was refused while it was tried.`,
    ),
    unmeasured: cases
      .filter(({ verdict }) => verdict === "not-measured")
      .map(({ test, attempts }) => `${test.name}: ${attempts[0]?.problem || "a judge or a model did not answer"}`),
  };
}

function namesOf(cases: readonly TestedCase[], verdict: TestedCase["verdict"]): ReadonlySet<string> {
  return new Set(cases.filter((tested) => tested.verdict === verdict).map(({ test }) => test.name));
}

function failedCase({ test, attempts }: TestedCase): DraftProblem {
  const checks = attempts.flatMap((attempt) => attempt.checks.filter(({ verdict }) => verdict === "failed"));
  const reasons = checks.map(({ title, expected, observed, explanation }) => {
    const values = expected || observed ? `expected ${expected || "nothing"}, observed ${observed || "nothing"}` : "";
    return `${title}: ${[values, explanation].filter(Boolean).join("; ")}`;
  });
  const text = `The ${test.kind} '${test.name}' fails. ${reasons.join(". ")}`.trim();
  return { key: `case ${test.name}`, severity: "error", text };
}

/** How many errors and warnings there are, for comparisons. */
export function countsOf({ problems }: Measured): readonly [errors: number, warnings: number] {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return [errors, problems.length - errors];
}

/** Whether the first has fewer errors, or as many and fewer warnings. */
export function isBetter(one: Measured, other: Measured): boolean {
  const [errors, warnings] = countsOf(one);
  const [otherErrors, otherWarnings] = countsOf(other);
  return errors < otherErrors || (errors === otherErrors && warnings < otherWarnings);
}

/** The cases that passed before and do not now. */
export function brokenCases(before: Measured, after: Measured): readonly string[] {
  return [...before.passed].filter((name) => !after.passed.has(name));
}

/** What is wrong with a draft and was not wrong before. */
export function withoutKnown(draft: Measured, base: Measured): Measured {
  const known = new Set(base.problems.map(({ key }) => key));
  return { ...draft, problems: draft.problems.filter(({ key }) => !known.has(key)) };
}
