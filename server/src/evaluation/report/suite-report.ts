import type { TestCheck } from "../suite/contract.ts";
import type { BudgetUse } from "../suite/run-budget.ts";
import type { SuiteResult, TestedCase } from "../suite/run-suite.ts";
import type { Verdict } from "../verdict.ts";

/** A run of a suite, as reports show it. */
export interface SuiteReport extends SuiteResult {
  /** What was tested: the folder, zip or app. */
  readonly subject: string;
  /** The label of the model that answered. */
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly durationMs: number;
  /** What its language models took; answers that were kept cost nothing. */
  readonly used: BudgetUse;
  /** Sentences about the package that was imported. */
  readonly warnings: readonly string[];
}

/** Numbers of cases. */
interface VerdictCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly notMeasured: number;
}

/** Counts verdicts. */
export function countVerdicts(verdicts: readonly Verdict[]): VerdictCounts {
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    total: verdicts.length,
    passed: count("passed"),
    failed: count("failed"),
    notMeasured: count("not-measured"),
  };
}

/** Questions to a data agent that it gave no answer to, whether that was expected or not; undefined where there are no such questions. */
export function abstentions(
  cases: readonly TestedCase[],
): { readonly abstained: number; readonly of: number } | undefined {
  const questions = cases.filter(({ test }) => test.kind === "question");
  if (questions.length === 0) return undefined;
  const abstained = questions.filter(({ attempts }) => attempts.some((attempt) => attempt.abstained)).length;
  return { abstained, of: questions.length };
}

/** The numbers of a run: `3 passed, 1 failed, 0 not measured; 1 of 4 questions abstained`. */
export function numbersText({ cases }: Pick<SuiteReport, "cases">): string {
  const counts = countsText(countVerdicts(cases.map(({ verdict }) => verdict)));
  const found = abstentions(cases);
  return found ? `${counts}; ${found.abstained} of ${found.of} questions abstained` : counts;
}

/** `3 passed, 1 failed, 0 not measured`. */
function countsText({ passed, failed, notMeasured }: VerdictCounts): string {
  return `${passed} passed, ${failed} failed, ${notMeasured} not measured`;
}

/** `, 12 model calls, 3456 tokens, 0.02 US dollars`; "" without a call. */
export function usedText({ calls, tokens, dollars }: BudgetUse): string {
  if (calls === 0) return "";
  const cost = dollars > 0 ? `, ${dollars.toFixed(dollars < 1 ? 4 : 2)} US dollars` : "";
  return `, ${calls} model ${calls === 1 ? "call" : "calls"}, ${tokens} tokens${cost}`;
}

/** `golden, tests/goldens.yaml:12`. */
export function placeOf({ test }: Pick<TestedCase, "test">): string {
  return test.file === "" ? test.kind : `${test.kind}, ${test.file}:${test.line}`;
}

/** The first attempt that decided a case's verdict. */
export function decidingAttempt({ attempts, verdict }: TestedCase): TestedCase["attempts"][number] | undefined {
  return attempts.find((attempt) => attempt.verdict === verdict) ?? attempts[0];
}

/** The checks of an attempt that did not pass. */
function problemsOf({ checks }: { readonly checks: readonly TestCheck[] }): readonly TestCheck[] {
  return checks.filter(({ verdict }) => verdict !== "passed");
}

/** What failed in the app in turns of the cases, whatever was expected of them, with the names of the cases: the most frequent first (EVAL-97). */
export function appFaults(
  cases: readonly TestedCase[],
): readonly { readonly fault: string; readonly cases: string[] }[] {
  const found = new Map<string, Set<string>>();
  for (const { test, attempts } of cases)
    for (const fault of attempts.flatMap(faultsOf)) found.set(fault, (found.get(fault) ?? new Set()).add(test.name));
  return [...found]
    .map(([fault, names]) => ({ fault, cases: [...names] }))
    .sort((one, other) => other.cases.length - one.cases.length);
}

/** How many faults, and cases of one, a report names. */
const MOST_FAULTS = 20;
const MOST_CASES = 5;

/** The faults of the app, a line each: `The tool 'x' failed: …; in 2 cases: 'one', 'two'.` */
export function faultLines(cases: readonly TestedCase[]): readonly string[] {
  const faults = appFaults(cases);
  const lines = faults.slice(0, MOST_FAULTS).map(({ fault, cases: names }) => {
    const named = names.slice(0, MOST_CASES).map((name) => `'${name}'`);
    const more = names.length > MOST_CASES ? ` and ${names.length - MOST_CASES} more` : "";
    return `${fault.replace(/\.$/, "")}; in ${names.length === 1 ? "the case" : `${names.length} cases:`} ${named.join(", ")}${more}.`;
  });
  return faults.length > MOST_FAULTS ? [...lines, `And ${faults.length - MOST_FAULTS} more.`] : lines;
}

function faultsOf({ turns = [] }: TestedCase["attempts"][number]): readonly string[] {
  return [...new Set(turns.flatMap(({ faults }) => faults))];
}

/** Why an attempt did not pass, one line for each fact; last what failed in the app, which is often the cause. */
export function reasonLines(attempt: TestedCase["attempts"][number]): readonly string[] {
  return [...checkLines(attempt), ...faultsOf(attempt)];
}

/** What was not measured, and each check that did not pass, one line for each fact. */
export function checkLines(attempt: Pick<TestedCase["attempts"][number], "checks" | "problem">): readonly string[] {
  return [
    ...(attempt.problem === "" ? [] : [attempt.problem]),
    ...problemsOf(attempt).flatMap((check) => [
      `${check.title}: ${check.verdict === "failed" ? "failed" : "not measured"}`,
      ...labelled("expected", check.expected),
      ...labelled("observed", check.observed || (check.expected && !check.explanation ? "nothing" : "")),
      ...labelled("why", check.explanation),
      ...labelled("span", check.span),
    ]),
  ];
}

function labelled(label: string, text: string): readonly string[] {
  return text === "" ? [] : [`  ${label.padEnd(8)} ${text.replaceAll("\n", "\n           ")}`];
}
