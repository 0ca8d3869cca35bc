import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import type { Filter, Measure, Occurrence, SemanticQuery } from "../query/semantic-query.ts";
import { baseTable } from "../sql/base-table.ts";
import type { Period } from "../time/period.ts";

/** A list of rows that is filtered by related rows: "list customers who bought Tea in Leeds". */
export function asExistence(
  query: SemanticQuery,
  subjects: readonly SemanticTable[],
  model: SemanticModel,
): SemanticQuery {
  const [subject] = subjects;
  const isPlain =
    query.dimensions.length === 0 && !query.countGroups && !query.existence && !query.share && !query.days;
  if (!isPlain || !subject || query.filters.length === 0) return query;
  const own = query.filters.filter(({ table }) => table === subject);
  const others = query.filters.filter(({ table }) => table !== subject);
  const counted = query.measures.length === 1 && query.measures.every((one) => isCountOf(one, subject));
  if (query.measures.length > 0 && !(counted && others.some(isNever))) return query;
  const base = baseTable({ ...query, through: subject }, [subject], model);
  if (!base || base === subject) return counted ? query : { ...query, through: subject };
  return {
    ...query,
    filters: own,
    existence: { subject, counted, occurrences: occurrencesIn(base, others, query.period) },
  };
}

/** "users who never purchased" have no such row at all; that one of their rows is another says nothing. */
function occurrencesIn(
  fact: SemanticTable,
  filters: readonly Filter[],
  period: Period | undefined,
): readonly Occurrence[] {
  const [negated, meant] = [filters.filter(isNever), filters.filter((one) => !isNever(one))];
  const when = definedFields({ period });
  return [
    ...(meant.length > 0 ? [{ negated: false, fact, filters: meant, ...when }] : []),
    ...negated.map((one) => ({ negated: true, fact, filters: [{ ...one, negated: false }], ...when })),
  ];
}

function isNever(filter: Filter): filter is Extract<Filter, { kind: "values" }> {
  return filter.kind === "values" && filter.never === true;
}

function isCountOf(measure: Measure, table: SemanticTable): boolean {
  return measure.kind === "rows" && measure.table === table;
}
