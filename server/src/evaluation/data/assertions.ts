import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { TestCheck } from "../suite/contract.ts";
import { verdictOf } from "../verdict.ts";
import { comparableText } from "./compare-rows.ts";
import type { DataTestContext, ObservedAnswer } from "./contract.ts";
import type { Assertion } from "./data-suite-schema.ts";

type Found = Pick<TestCheck, "verdict" | "expected" | "observed"> & { readonly explanation?: string };

/** What an assertion says of an answer (EVAL-81). */
export async function checkAssertion(
  assertion: Assertion,
  question: string,
  answer: ObservedAnswer,
  context: DataTestContext,
): Promise<TestCheck> {
  const found = await compare(assertion, question, answer, context);
  return { title: assertion.type, explanation: "", span: "", ...found };
}

function compare(
  assertion: Assertion,
  question: string,
  answer: ObservedAnswer,
  context: DataTestContext,
): Found | Promise<Found> {
  switch (assertion.type) {
    case "text-contains":
      return contains(answer.text, assertion.value, plainText);
    case "query-contains":
      return contains(answer.statements.join(";\n"), assertion.value, plainStatement);
    case "data-check-row":
      return hasRow(assertion.columns, answer);
    case "data-check-row-count": {
      const count = answer.results.at(-1)?.rows.length;
      const observed = count === undefined ? "no rows were answered" : `${count} rows`;
      return { verdict: verdictOf(count === assertion.value), expected: `${assertion.value} rows`, observed };
    }
    case "chart-check-type": {
      const mark = markOf(answer.chart);
      return {
        verdict: verdictOf(mark === assertion.value.toLowerCase()),
        expected: assertion.value,
        observed: mark || "no chart",
      };
    }
    case "duration-max-ms": {
      const took = Math.round(answer.durationMs);
      return {
        verdict: verdictOf(took <= assertion.value),
        expected: `${assertion.value} ms at most`,
        observed: `${took} ms`,
      };
    }
    case "looker-query-match":
      return matchesLooker(assertion.params, answer);
    case "ai-judge":
      return judged(assertion.value, question, answer, context);
  }
}

function contains(text: string, part: string, plain: (text: string) => string): Found {
  return { verdict: verdictOf(plain(text).includes(plain(part))), expected: part, observed: text };
}

function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ");
}

/** Spaces around marks and quotes around names do not count. */
function plainStatement(sql: string): string {
  return sql
    .toLowerCase()
    .replaceAll(/["`]/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s*([(),=<>*/+-])\s*/g, "$1");
}

function hasRow(columns: JsonObject, { results }: ObservedAnswer): Found {
  const wanted = Object.entries(columns).map(([name, cell]) => [name.toLowerCase(), comparableText(cell)] as const);
  const isFound = results.some(({ columns: names, rows }) => {
    const places = wanted.map(([name]) => names.findIndex((one) => one.toLowerCase() === name));
    return rows.some((row) =>
      wanted.every(([, cell], at) => comparableText(row[places[at] ?? -1] ?? MISSING) === cell),
    );
  });
  const last = results.at(-1);
  const observed = last
    ? [last.columns, ...last.rows.slice(0, 10)].map((row) => row.join(" | ")).join("\n")
    : "no rows";
  return { verdict: verdictOf(isFound), expected: JSON.stringify(columns), observed };
}

/** A cell that no row has: a column that is not there is not NULL. */
const MISSING = "\u0000missing";

function markOf(chart: JsonObject | undefined): string {
  const mark =
    chart?.mark ??
    (Array.isArray(chart?.layer) && isJsonObject(chart.layer[0] ?? null)
      ? (chart.layer[0] as JsonObject).mark
      : undefined);
  if (typeof mark === "string") return mark.toLowerCase();
  return isJsonObject(mark ?? null) && typeof (mark as JsonObject).type === "string"
    ? String((mark as JsonObject).type).toLowerCase()
    : "";
}

/** Each field that is named must be equal; lists in any order. */
function matchesLooker(params: JsonObject, { lookerQueries }: ObservedAnswer): Found {
  const plain = (value: JsonValue | undefined): JsonValue =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : (value ?? null);
  const isMatch = lookerQueries.some((query) =>
    Object.entries(params).every(([name, value]) => isDeepStrictEqual(plain(query[name]), plain(value))),
  );
  const observed = lookerQueries.map((query) => JSON.stringify(query)).join("\n") || "no Looker query";
  return { verdict: verdictOf(isMatch), expected: JSON.stringify(params), observed };
}

const SCALE: ReadonlyMap<number, string> = new Map([
  [1, "The answer meets the criterion."],
  [0, "The answer does not meet the criterion."],
]);
/** Rows that a judge reads. */
const JUDGED_ROWS = 50;

async function judged(
  rubric: string,
  question: string,
  { text, statements, results }: ObservedAnswer,
  { deps, signal }: DataTestContext,
): Promise<Found> {
  const last = results.at(-1);
  const rows = last ? [last.columns, ...last.rows.slice(0, JUDGED_ROWS)].map((row) => row.join(" | ")) : ["none"];
  const material = [
    `Question: ${question}`,
    `Statement: ${statements.at(-1) ?? "none"}`,
    "Rows:",
    ...rows,
    `Answer: ${text}`,
  ].join("\n");
  const judgement = await deps.judge.ask({ metric: "expectation", rubric, material, scale: SCALE }, signal);
  if (judgement.kind === "not-measured")
    return { verdict: "not-measured", expected: rubric, observed: text, explanation: judgement.reason };
  return {
    verdict: verdictOf(judgement.score === 1),
    expected: rubric,
    observed: text,
    explanation: judgement.explanation,
  };
}
