import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import { joinsOf } from "../query/join-graph.ts";
import type { Occurrence, SemanticQuery } from "../query/semantic-query.ts";
import { defaultTimeColumn } from "../sql/base-table.ts";

/**
 * "customers with fewer than 3 orders" are those without three of them, so that customers without any are among them; groups of orders would leave these
 * out. `named`: the table that is named first. Undefined where the question is of another form, or where no key tells the subjects apart (CA-83).
 */
export function fewerThan(
  query: SemanticQuery,
  [named]: readonly SemanticTable[],
  model: SemanticModel,
): SemanticQuery | undefined {
  const { having, dimensions, measures, filters, period, timeColumn } = query;
  const [bound, otherBound] = having;
  const [group, otherGroup] = dimensions;
  if (!bound || otherBound || bound.measure.kind !== "rows" || group?.kind !== "entity" || otherGroup) return undefined;
  const { table: fact } = bound.measure;
  const { table: subject } = group;
  // "customers in nations with fewer than 600 customers" asks for customers.
  if (named !== subject) return undefined;
  const atLeast = firstBeyond(bound.comparison, bound.value);
  const isOfCount = measures.every((one) => one.kind === "rows" && one.table === fact);
  if (
    atLeast === undefined ||
    !isOfCount ||
    isMore(query) ||
    (timeColumn && timeColumn.column !== defaultTimeColumn(fact, model)?.column) ||
    subject.schema.primaryKey?.length !== 1
  )
    return undefined;
  const reaches = (from: SemanticTable, to: SemanticTable) => joinsOf(model).path(from, to, new Set()) !== undefined;
  const others = filters.filter(({ table }) => table !== subject);
  if (fact === subject || !reaches(fact, subject) || !others.every(({ table }) => reaches(fact, table)))
    return undefined;
  const occurrence: Occurrence = { negated: true, fact, filters: others, atLeast, ...definedFields({ period }) };
  return {
    ...query,
    measures: [],
    dimensions: [],
    having: [],
    filters: filters.filter(({ table }) => table === subject),
    countGroups: false,
    existence: { subject, counted: query.countGroups, occurrences: [occurrence] },
  };
}

/** The least number that is not fewer; undefined of bounds that nothing is below. */
function firstBeyond(comparison: string, value: number): number | undefined {
  if (comparison === "<") return Math.ceil(value);
  if (comparison === "<=") return Math.floor(value) + 1;
  return comparison === "=" && value === 0 ? 1 : undefined;
}

/** Whether more is asked than which of them there are. */
function isMore({ top, average, share, growth, running, moving, days, otherPeriod, existence }: SemanticQuery) {
  return Boolean(top || average || share || growth || running || moving || days || otherPeriod || existence);
}
