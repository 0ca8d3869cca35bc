import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import { columnLabel, isBirth, tableLabel, timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Filter, Measure, Occurrence, SemanticQuery } from "../query/semantic-query.ts";
import { defaultTimeColumn } from "../sql/base-table.ts";

/** A query whose rows are chosen by related rows, so that none counts twice; or why that cannot be. */
export type RelatedRows =
  | { readonly query: SemanticQuery; readonly tables: readonly SemanticTable[]; readonly warnings: readonly string[] }
  | { readonly refusal: string };

/**
 * "average age of patients admitted to Cardiology": a patient with two admissions counts once, because the number is of patients and admissions only
 * choose them. "average seats of flights to Lisbon": a number of what flights belong to, once for each flight (CA-86). Undefined of any other query.
 */
export function relatedRows(
  query: SemanticQuery,
  subjects: readonly SemanticTable[],
  model: SemanticModel,
): RelatedRows | undefined {
  const joins = joinsOf(model);
  const reaches = (from: SemanticTable, to: SemanticTable) =>
    from === to || joins.path(from, to, new Set()) !== undefined;
  const unclear = withoutUnclear(query, reaches);
  if (unclear) return { refusal: unclear };
  const table = tableOfNumbers(query.measures);
  if (!table || query.countGroups || query.having.length > 0) return undefined;
  const outside = query.filters.filter((filter) => !reaches(table, filter.table));
  const named = subjects.filter((one) => !reaches(table, one));
  const time = query.timeColumn && !reaches(table, query.timeColumn.table) ? query.timeColumn : undefined;
  if (outside.length + named.length === 0 && !time) return undefined;
  if (!subjects.includes(table)) return ofEach(query, table, subjects, reaches);
  const isSplitByOthers = query.dimensions.some((one) =>
    one.kind === "time" || one.kind === "part" ? time !== undefined : !reaches(table, one.table),
  );
  const key = keyOf(table);
  const tables = new Set([...outside.map((filter) => filter.table), ...named, ...(time ? [time.table] : [])]);
  const fact = [...tables].find((one) => reaches(one, table) && [...tables].every((other) => reaches(one, other)));
  if (isSplitByOthers || !key || !fact || outside.some(isNegated)) return undefined;
  const isOfFact = query.period !== undefined && (time !== undefined || !hasTime(table));
  if (query.period && !isOfFact) return { refusal: whoseTime(query.period.label, table, fact) };
  if (time && time.column !== defaultTimeColumn(fact, model)?.column) return undefined;
  const occurrence: Occurrence = {
    negated: false,
    fact,
    filters: outside,
    ...(isOfFact && definedFields({ period: query.period })),
  };
  const { period, timeColumn, through, ...rest } = query;
  const related: Filter = { kind: "related", table, column: key, occurrence };
  const times = isOfFact || time ? {} : definedFields({ period, timeColumn });
  return {
    query: { ...rest, ...times, filters: [...query.filters.filter((one) => !outside.includes(one)), related] },
    tables: [...tables],
    warnings: [],
  };
}

/** The one table of columns that are measured; counts of rows are of other tables in one statement. */
function tableOfNumbers(measures: readonly Measure[]): SemanticTable | undefined {
  const tables = new Set(
    measures.map((one) => (one.kind === "aggregate" && one.fn !== "distinct" ? one.table : undefined)),
  );
  return tables.size === 1 ? [...tables][0] : undefined;
}

/** "average seats of flights": flights are spoken of, and each has the seats of its aircraft. */
function ofEach(
  query: SemanticQuery,
  table: SemanticTable,
  [spoken]: readonly SemanticTable[],
  reaches: (from: SemanticTable, to: SemanticTable) => boolean,
): RelatedRows | undefined {
  if (!spoken || !reaches(spoken, table) || !query.filters.every((one) => reaches(spoken, one.table))) return undefined;
  const measures = query.measures.map((one) => (one.kind === "aggregate" ? { ...one, each: true } : one));
  const names = measures.flatMap((one) => (one.kind === "aggregate" ? columnLabel(one.table, one.column) : []));
  const told = `${names.join(" and ")} of ${tableLabel(table)} counts once for each of ${tableLabel(spoken)}.`;
  return { query: { ...query, measures, through: spoken }, tables: [], warnings: [told] };
}

/** "students without absences for illness", "without absences in May, by house": what follows may be of the rows that there are none of. */
function withoutUnclear(
  { filters, period, timeColumn }: SemanticQuery,
  reaches: (from: SemanticTable, to: SemanticTable) => boolean,
): string | undefined {
  const none = filters.find((one) => one.kind === "related" && one.occurrence.negated);
  if (none?.kind !== "related") return undefined;
  const { table, occurrence } = none;
  const name = tableLabel(occurrence.fact);
  const isOfOthers = filters.some((one) => !reaches(table, one.table));
  if (!isOfOthers && (!period || (timeColumn && reaches(table, timeColumn.table)))) return undefined;
  return `I do not know whether what you say beside “without ${name}” is of ${name} or of ${tableLabel(table)}. Ask for ${tableLabel(table)} without ${name} alone.`;
}

function whoseTime(label: string, table: SemanticTable, fact: SemanticTable): string {
  return `I do not know whether “${label}” is of ${tableLabel(table)} or of ${tableLabel(fact)}. Name the time, as in “${timeNames(fact)} ${label}”.`;
}

function timeNames(table: SemanticTable): string {
  const [first] = timeColumns(table);
  return first ? columnLabel(table, first) : tableLabel(table);
}

function hasTime(table: SemanticTable): boolean {
  return timeColumns(table).some((column) => !isBirth(columnLabel(table, column)));
}

function isNegated(filter: Filter): boolean {
  return (filter.kind === "values" || filter.kind === "contains") && filter.negated;
}

/** The column that tells rows of a table apart; undefined where there is none, or several. */
export function keyOf(table: SemanticTable): SemanticColumn | undefined {
  const [key, ...more] = table.schema.primaryKey ?? [];
  return more.length > 0 ? undefined : table.columns.find(({ name }) => name === key);
}
