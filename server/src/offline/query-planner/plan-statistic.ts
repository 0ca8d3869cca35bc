import type { SemanticModel } from "#analytics";
import { columnValues } from "./column-values.ts";
import type { InterpretedQuery, Interpreter } from "./interpreter.ts";
import type { StatisticWish } from "./statistic-wish.ts";
import { instructionFor } from "./statistics-programs.ts";
import { add, isoDay, startOf } from "./time/period.ts";

/** The rows for a statistic, and what is computed from them. */
export interface PlannedStatistic {
  readonly query: InterpretedQuery;
  readonly instruction: string;
}

/** Finds the rows: numbers of single rows where columns are named, else by what was asked, else by month, which is told. */
export function planStatistic(
  wish: StatisticWish,
  interpreter: Interpreter,
  model: SemanticModel,
  now: Date,
): PlannedStatistic | undefined {
  const { statistic, numbers, grouped, ahead } = wish;
  const instruction = instructionFor(statistic, ahead);
  const ofRows = statistic === "correlation" || statistic === "deviation" || statistic === "outliers";
  const values = ofRows && grouped === "" ? columnValues(numbers, model, now) : undefined;
  if (values) return { query: values, instruction };
  const by = grouped === "" ? "by month" : grouped;
  const whole = by === "by month" ? wholeMonths(model) : "";
  const interpretation = interpreter.interpret([`${numbers.join(" and ")} ${by}${whole}`], model, now);
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

/** Months that are covered in part would bend the line at both ends: they are left out. */
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
