import type { SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { isYear } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import type { Dimension, Filter, SemanticQuery } from "../query/semantic-query.ts";
import { defaultTimeColumn } from "../sql/base-table.ts";
import type { Period } from "../time/period.ts";

/** A query whose years are those of a column of whole numbers, or why they cannot be. */
type WithYears = { readonly query: SemanticQuery } | { readonly refusal: string };

/**
 * "deaths in 1931", "deaths by year", where no table has a date and the base table has one column of years: periods of whole years become
 * conditions on it, the grain year groups by it.
 */
export function withYearColumn(query: SemanticQuery, base: SemanticTable, model: SemanticModel): WithYears {
  const timed = query.period !== undefined || query.dimensions.some(({ kind }) => kind === "time");
  if (!timed || query.timeColumn || defaultTimeColumn(base, model)) return { query };
  const [column, other] = base.columns.filter((one) => isYear(one) || isYearText(one));
  if (!column || other) return { query };
  const years = { table: base, column };
  const reason = unfit(query, years);
  if (reason !== undefined) return { refusal: reason };
  const { period, ...rest } = query;
  return {
    query: {
      ...rest,
      filters: [...query.filters, ...(period ? [filterOf(period, years)] : [])],
      dimensions: query.dimensions.map((one): Dimension => (one.kind === "time" ? { kind: "column", ...years } : one)),
    },
  };
}

/** A text column called year whose values are years. */
function isYearText({ name, type, values = [] }: SemanticTable["columns"][number]): boolean {
  return (
    type === "STRING" && /(^|[_\s])year$/i.test(name) && values.length > 0 && values.every((one) => /^\d{4}$/.test(one))
  );
}

function unfit({ period, otherPeriod, growth, running, dimensions }: SemanticQuery, { table, column }: ColumnRef) {
  const name = `${columnLabel(table, column)} of ${tableLabel(table)}`;
  const finer = dimensions.find((one) => one.kind === "time" && one.grain !== "year");
  if (finer || (period && !isWholeYears(period))) return `${name} has years only, so nothing finer can be shown`;
  if (otherPeriod || growth || running) return `${name} is a number and no date, so years cannot be compared`;
  return period && column.type === "STRING" ? `${name} is a text, so “${period.label}” cannot be applied` : undefined;
}

function isWholeYears({ from, to }: Period): boolean {
  return [from, to].every((day) => day === undefined || day.endsWith("-01-01"));
}

function filterOf({ from, to }: Period, ref: ColumnRef): Filter {
  const [low, high] = [from && Number(from.slice(0, 4)), to && Number(to.slice(0, 4)) - 1];
  if (low && low === high) return { kind: "compare", ...ref, comparison: "=", value: low };
  if (low && high) return { kind: "between", ...ref, low, high };
  return low
    ? { kind: "compare", ...ref, comparison: ">=", value: low }
    : { kind: "compare", ...ref, comparison: "<=", value: high || 0 };
}
