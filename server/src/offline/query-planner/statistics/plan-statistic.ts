import { type SemanticModel, tokenize } from "#analytics";
import { parseConstituents } from "../constituents/parse-constituents.ts";
import { interpretQuestion } from "../interpret-question.ts";
import type { InterpretedQuery } from "../interpretation.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { disambiguate } from "../lexicon/disambiguate.ts";
import { isKey, isNumeric } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import { toSnakeCase } from "../query/labels.ts";
import { EMPTY_QUERY, type Measure } from "../query/semantic-query.ts";
import { baseTable } from "../sql/base-table.ts";
import { dialectFunctions, limitSql } from "../sql/dialect.ts";
import { expressionsOver } from "../sql/expressions.ts";
import { fromClause } from "../sql/from-clause.ts";
import { add, isoDay, startOf } from "../time/period.ts";
import type { StatisticRequest } from "./parse-statistic.ts";
import { instructionFor } from "./programs.ts";

/** The query for the rows of a statistic, and the instruction for its program. */
export interface PlannedStatistic {
  readonly query: InterpretedQuery;
  readonly instruction: string;
}

/** Plans the query: values of single rows where columns are named, else by the dimension in the question, else by month with a warning. */
export function planStatistic(
  requested: StatisticRequest,
  model: SemanticModel,
  now: Date,
): PlannedStatistic | undefined {
  const { statistic, numbers, grouped, ahead } = requested;
  const instruction = instructionFor(statistic, ahead);
  const ofRows = statistic === "correlation" || statistic === "deviation" || statistic === "outliers";
  const values = ofRows && grouped === "" ? columnValues(numbers, model, now) : undefined;
  if (values) return { query: values, instruction };
  const by = grouped === "" ? "by month" : grouped;
  const whole = by === "by month" ? wholeMonths(model) : "";
  const interpretation = interpretQuestion([`${numbers.join(" and ")} ${by}${whole}`], model, now);
  if (interpretation.kind !== "query") return undefined;
  const { query } = interpretation;
  const assumed = grouped === "" ? ["You did not say over what to look at it; I took months."] : [];
  return { query: { ...query, warnings: [...query.warnings, ...assumed] }, instruction };
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A filter for whole months: partial ones would distort both ends of a trend. */
function wholeMonths({ tables }: SemanticModel): string {
  const [largest] = tables
    .filter(({ columns }) => columns.some(({ range }) => range))
    .toSorted((left, right) => (right.schema.rowCount ?? 0) - (left.schema.rowCount ?? 0));
  const range = largest?.columns.find((column) => column.range)?.range;
  if (!range) return "";
  const first = startOf(new Date(range.first), "month");
  const from = isoDay(first) === range.first ? first : add(first, 1, "month");
  const after = startOf(add(new Date(range.last), 1, "day"), "month"); // the first month that is not whole
  const last = add(after, -1, "month");
  return from.getTime() < last.getTime() ? ` from ${monthName(from)} to ${monthName(last)}` : "";
}

function monthName(day: Date): string {
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** The largest number of rows of a statistic. */
const MAX_ROWS = 100_000;

/** A query for the values of columns row by row; undefined where a name is not a numeric column, or without a join path. */
function columnValues(names: readonly string[], model: SemanticModel, now: Date): InterpretedQuery | undefined {
  const mentioned: string[] = [];
  const warnings: string[] = [];
  const columns: ColumnRef[] = [];
  for (const name of names) {
    const found = numberColumn(name, mentioned, model, now);
    if (!found) return undefined;
    columns.push(found.column);
    mentioned.push(tableLabel(found.column.table));
    if (found.warning) warnings.push(found.warning);
  }
  const measures = columns.map((column): Measure => ({ kind: "aggregate", fn: "sum", ...column }));
  const base = baseTable({ ...EMPTY_QUERY, measures }, [], model);
  if (!base) return undefined;
  const from = fromClause(base, model, new Set());
  const write = expressionsOver(from, base, model, isoDay(now));
  const labels = columns.map(({ table, column }) => toSnakeCase(columnLabel(table, column)));
  const parts = columns.map((column, at) => `${write.column(column)} AS ${model.source.quoteName(labels[at] ?? "")}`);
  const order = columns.map((_, at) => String(at + 1)).join(", ");
  return {
    name: labels.join("_and_"),
    sql: `SELECT ${parts.join(",\n  ")}\n${from.text()}\nORDER BY ${order}\n${limitSql(dialectFunctions(model.source.dialect), MAX_ROWS)}`,
    understanding: `${labels.map((label) => label.replaceAll("_", " ")).join(" and ")} of each of the ${tableLabel(base)}.`,
    warnings,
    ...(labels.length > 1 && { chart: { mark: "scatter" as const, x: labels[0] ?? "", y: labels[1] ?? "" } }),
    followUps: [],
  };
}

/** The numeric column that a phrase names. */
function numberColumn(name: string, mentioned: readonly string[], model: SemanticModel, now: Date) {
  const [constituent, ...more] = parseConstituents(tokenize(name), model, now);
  if (constituent?.kind !== "ref" || more.length > 0) return undefined;
  const numbers = constituent.meanings.filter(
    (meaning) => meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column),
  );
  const chosen = disambiguate(constituent.text, numbers, mentioned, joinsOf(model));
  if (chosen?.meaning.kind !== "column") return undefined;
  const { table, column } = chosen.meaning;
  return { column: { table, column }, warning: chosen.warning };
}
