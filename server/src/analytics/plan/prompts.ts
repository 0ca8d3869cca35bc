import { textOrJson } from "#base";
import type { ResultSet, SqlDialect } from "#warehouse";
import type { SemanticModel } from "../contract.ts";
import { describeModel } from "../defined/describe-model.ts";
import { describeJoins, describeTable } from "./describe-schema.ts";
import type { NamedResult, PastTurn, Plan, PlanRequest } from "./planner.ts";

export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** Rows of a result in the prompt, at most. */
const READ_ROWS = 50;
/** Earlier turns in the prompt, at most. */
const PAST_TURNS = 6;

/** What the model is told to write. */
const DIALECTS: Readonly<Record<SqlDialect, string>> = {
  duckdb: "DuckDB SQL (quote names with double quotes; date_trunc('month', d); no backticks)",
  googlesql: "GoogleSQL for BigQuery (quote names with backticks)",
  postgresql: "PostgreSQL",
  mysql: "MySQL",
  clickhouse: "ClickHouse SQL (quote names with backticks; functions as its manual writes them)",
  trino: "Trino SQL (quote names with double quotes)",
  redshift:
    "Amazon Redshift SQL (quote names with double quotes; no LATERAL, no generate_series; LISTAGG, DATEADD, DATEDIFF)",
  snowflake: "Snowflake SQL (quote names with double quotes as they are listed; DATEADD, DATEDIFF, QUALIFY, LISTAGG)",
  databricks: "Databricks SQL (quote names with backticks; date_trunc('MONTH', d), QUALIFY)",
  sqlserver:
    "Transact-SQL for SQL Server 2016 (quote names with brackets; TOP, OFFSET … FETCH, DATEPART, DATEADD; no GROUP BY of positions or aliases; AVG and / of whole numbers cut: cast to FLOAT first; no CROSS APPLY, no hints)",
};

/** The prompt for a plan: semantic model, conversation, question. */
export function planPrompt(request: PlanRequest): Prompt {
  const { model, now, analysisAllowed } = request;
  const system = [
    "You turn questions about a database into one read-only SELECT statement and choose how its result is drawn.",
    `Write ${DIALECTS[model.source.dialect]}. Use only the tables and columns listed. Write literals as the listed values are spelled.`,
    `Today is ${now.toISOString().slice(0, 10)}.`,
    'Answer with JSON. kind "query": name (snake_case), sql, reasoning (one or two sentences for the user), chart (only where a picture helps).',
    'kind "redraw": result (name of an earlier result; the last one when absent) and chart, when rows that were shown already are to be drawn another way.',
    'kind "reply": text, when no data is needed, when the question is ambiguous (ask back), or when these tables cannot answer it.',
    ...(analysisAllowed
      ? [
          "If the question needs statistics that SQL cannot do, also give analysis: what Python shall compute from the rows; with redraw: from the earlier ones.",
        ]
      : []),
    ...(model.instruction ? ["", "Instruction of the data's author:", model.instruction] : []),
    "",
    "Tables:",
    ...model.tables.map((table) => describeTable(table, model.source)),
    ...(model.left
      ? [`${model.left} more tables are not listed, because nothing in the question points to them.`]
      : []),
    ...joinLines(model),
    ...glossaryLines(model),
    ...(request.defined ? describeModel(request.defined) : []),
    ...exampleLines(request),
  ].join("\n");
  return { system, user: [...pastLines(request.past), `Question: ${request.question}`].join("\n") };
}

/** The prompt for an answer in words. */
export function answerPrompt(
  { question, model }: PlanRequest,
  { reasoning }: Extract<Plan, { kind: "query" }>,
  results: readonly NamedResult[],
): Prompt {
  const system = [
    "You tell the result of a database query to the person who asked. Be brief; markdown is allowed.",
    "State only numbers that stand in the rows, as they are or rounded. Do not add them up or compute others from them.",
    "Answer with JSON: text, and follow_ups: up to three questions that these tables can answer.",
    `Tables: ${model.tables.map(({ schema }) => schema.path.join(".")).join(", ")}.`,
    ...(model.instruction ? ["", "Instruction of the data's author:", model.instruction] : []),
  ].join("\n");
  const user = [
    `Question: ${question}`,
    `Plan: ${reasoning}`,
    ...results.flatMap(({ name, result }) => ["", `Result ${name}:`, rowsAsText(result)]),
  ];
  return { system, user: user.join("\n") };
}

/** The prompt for a Python program over the rows. */
export function analysisPrompt(instruction: string, results: readonly NamedResult[]): Prompt {
  const system = [
    "Write Python 3.12 that analyses rows of a database. Only the standard library exists; no files, no network.",
    "Define analyze(results), where results maps each result's name to a list of dicts (numbers are float or int, empty cells None).",
    'Return a dict with any of: "text" (the finding in one or two sentences), "csv" (a list of dicts), "vega" (a Vega-Lite dict), "reference" (the name of the result that shows it). print() is shown.',
    'Answer with JSON: {"code": "..."}.',
  ].join("\n");
  const shown = results.map(
    ({ name, result }) =>
      `Result ${name}: ${result.columns.map(({ name: column, type }) => `${column} ${type}`).join(", ")}; ${result.rows.length} rows`,
  );
  return { system, user: [instruction, "", ...shown].join("\n") };
}

function joinLines(model: SemanticModel): readonly string[] {
  const lines = describeJoins(model);
  return lines.length > 0 ? ["", "Joins:", ...lines] : [];
}

function glossaryLines({ glossary }: SemanticModel): readonly string[] {
  return glossary.length > 0 ? ["", "Glossary:", ...glossary.map(({ term, meaning }) => `${term}: ${meaning}`)] : [];
}

/** Authors write for BigQuery (CA-21). */
function exampleLines({ examples, model }: PlanRequest): readonly string[] {
  const dialect =
    model.source.dialect === "googlesql"
      ? ""
      : " (some are GoogleSQL for BigQuery; write your statement in the dialect above)";
  const lines = examples.flatMap(({ question, sql }) => [`Question: ${question}`, `SQL: ${sql}`]);
  return lines.length > 0 ? ["", `Verified examples${dialect}:`, ...lines] : [];
}

function pastLines(past: readonly PastTurn[]): readonly string[] {
  const lines = past
    .slice(-PAST_TURNS)
    .flatMap(({ question, answer, results }) => [
      `Earlier question: ${question}`,
      ...results.map(({ name, sql, columns }) => `Its result ${name} (${columns.join(", ")}): ${sql}`),
      ...(answer ? [`Earlier answer: ${answer.slice(0, 1000)}`] : []),
    ]);
  return lines.length > 0 ? [...lines, ""] : [];
}

function rowsAsText({ columns, rows, truncated }: ResultSet): string {
  const lines = rows.slice(0, READ_ROWS).map((row) => row.map(textOrJson).join(" | "));
  const more =
    rows.length > READ_ROWS || truncated ? [`(${rows.length}${truncated ? " or more" : ""} rows in all)`] : [];
  return [columns.map(({ name }) => name).join(" | "), ...lines, ...more].join("\n");
}
