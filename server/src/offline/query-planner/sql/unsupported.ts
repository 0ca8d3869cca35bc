import type { SemanticTable } from "#analytics";
import { percentOf } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { measureLabel } from "../query/labels.ts";
import type { Measure, SemanticQuery } from "../query/semantic-query.ts";
import type { DialectFunctions } from "./dialect.ts";

/** A measure and its expression; undefined where rows would count more than once (fan-out). */
interface WrittenMeasure {
  readonly measure: Measure;
  readonly text: string | undefined;
}

/** Why this database cannot answer a query, as the end of a sentence; undefined where it can. */
export function unsupportedReason(
  query: SemanticQuery,
  measures: readonly WrittenMeasure[],
  base: SemanticTable,
  words: DialectFunctions,
  timeColumn: ColumnRef | undefined,
): string | undefined {
  return withoutMedian(query, words) ?? repeated(measures, base) ?? withoutTime(query, base, timeColumn);
}

function withoutMedian({ measures }: SemanticQuery, { median, percentile }: DialectFunctions): string | undefined {
  if (!percentile && measures.some((one) => one.kind === "aggregate" && percentOf(one.fn) !== undefined))
    return "this database computes no percentiles";
  const asked = measures.some((one) => one.kind === "aggregate" && one.fn === "median");
  return asked && !median ? "this database computes no median" : undefined;
}

function repeated(measures: readonly WrittenMeasure[], base: SemanticTable): string | undefined {
  const found = measures.find(({ text }) => text === undefined);
  if (!found) return undefined;
  const measure = measureLabel(found.measure);
  return `${measure} cannot be split that way: a row would count once for each of its ${tableLabel(base)}`;
}

function withoutTime({ dimensions, period, days }: SemanticQuery, base: SemanticTable, ref: ColumnRef | undefined) {
  if (period && !ref) return `${tableLabel(base)} have no date, so “${period.label}” cannot be applied`;
  if (dimensions.some(({ kind }) => kind === "time" || kind === "part") && !ref) {
    return `${tableLabel(base)} have no date to follow over time`;
  }
  if (days && !ref) return `${tableLabel(base)} have no date, so days of the week cannot be applied`;
  const byHour = dimensions.some((one) => one.kind === "part" && one.part === "hour");
  return byHour && ref?.column.type === "DATE" ? `${columnLabel(ref.table, ref.column)} has no time of day` : undefined;
}
