import { thrownMessage } from "#base";
import { parseTestSource, type TestFile, TestFileError } from "../files/test-source.ts";
import { eachItem } from "../files/test-values.ts";
import { unreadableTest } from "../files/unreadable-test.ts";
import type { TestAttempt, TestCase, TestCheck } from "../suite/contract.ts";
import { allOf, verdictOf } from "../verdict.ts";
import { checkAssertion } from "./assertions.ts";
import { coversRows } from "./compare-rows.ts";
import type { DataRows, DataTestContext, ObservedAnswer } from "./contract.ts";
import { type Question, QuestionSchema } from "./data-suite-schema.ts";

/** The questions of a suite (EVAL-79). What cannot be read is a test that is not measured. */
export function readDataSuite(file: TestFile): readonly TestCase<DataTestContext>[] {
  try {
    const source = parseTestSource(file);
    return eachItem(source, ["questions"], QuestionSchema, (question, line) => toTest(question, source.path, line));
  } catch (error) {
    if (!(error instanceof TestFileError)) throw error;
    return [unreadableTest(error)];
  }
}

function toTest(question: Question, file: string, line: number): TestCase<DataTestContext> {
  const name = question.name ?? question.question;
  return { name, kind: "question", tags: question.tags, file, line, run: (context) => attempt(question, context) };
}

async function attempt(expected: Question, context: DataTestContext): Promise<TestAttempt> {
  const { question, earlier = [], gold, assertions } = expected;
  const answer = await context.ask([...earlier, question], context.signal);
  const abstained = answer.results.length === 0;
  const decisions = [abstentionCheck(expected, answer)];
  if (gold && !abstained) decisions.push(await goldCheck(gold, answer, context));
  const informative: TestCheck[] = [];
  for (const assertion of assertions) {
    const check = await checkAssertion(assertion, question, answer, context);
    if (assertion.weight !== 0) decisions.push(check);
    else informative.push({ ...check, title: `${check.title} (not decisive)` });
  }
  const verdict = allOf(decisions.map((check) => check.verdict));
  return { verdict, checks: [...decisions, ...informative], problem: "", abstained };
}

/** An agent that answers without rows has abstained: refused, or asked back. */
function abstentionCheck({ expect }: Question, { results, text }: ObservedAnswer): TestCheck {
  const abstained = results.length === 0;
  return {
    ...{ title: "answered", explanation: "", span: "" },
    verdict: verdictOf(abstained === (expect === "abstention")),
    expected: expect === "abstention" ? "no rows: these data have no answer" : "rows",
    observed: abstained ? `abstained: ${text}` : "rows",
  };
}

async function goldCheck(
  gold: NonNullable<Question["gold"]>,
  { results }: ObservedAnswer,
  context: DataTestContext,
): Promise<TestCheck> {
  const shown = { title: "gold rows", explanation: "", span: "" };
  const wanted = "sql" in gold ? await goldRows(gold.sql, context) : rowsOf(gold.rows);
  if (typeof wanted === "string")
    return { ...shown, verdict: "not-measured", expected: "", observed: "", explanation: wanted };
  const found = results.at(-1) ?? { columns: [], rows: [] };
  const verdict = verdictOf(coversRows(found, wanted, gold.ordered ?? false));
  return { ...shown, verdict, expected: tableText(wanted), observed: tableText(found) };
}

/** The rows, or why there are none. */
async function goldRows(sql: string, { rowsOf: run, signal }: DataTestContext): Promise<DataRows | string> {
  try {
    return await run(sql, signal);
  } catch (error) {
    signal.throwIfAborted();
    return `The gold statement does not run: ${thrownMessage(error)}`;
  }
}

type GoldRows = Extract<NonNullable<Question["gold"]>, { rows: unknown }>["rows"];

function rowsOf(rows: GoldRows): DataRows {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) };
}

const SHOWN_ROWS = 20;

function tableText({ columns, rows }: DataRows): string {
  const more = rows.length > SHOWN_ROWS ? [`… ${rows.length} rows`] : [];
  return [
    columns.join(" | "),
    ...rows.slice(0, SHOWN_ROWS).map((row) => row.map((cell) => cell ?? "NULL").join(" | ")),
    ...more,
  ].join("\n");
}
