import type { SemanticModel, SemanticTable } from "#analytics";
import { spokenTable } from "../lexicon/table-words.ts";
import type { Item } from "../parse/item.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Filter, Occurrence } from "../query/semantic-query.ts";
import { filtersOf, type Told } from "./chosen-values.ts";
import type { Clause } from "./clauses.ts";
import { factOf, usualFact } from "./fact.ts";
import { periodOf } from "./pieces.ts";

/** What each clause says happened; undefined where one speaks of nothing that happens to the thing. `own`: pieces about the thing itself. */
export function occurrencesOf(
  clauses: readonly Clause[],
  subject: SemanticTable,
  own: readonly Item[],
  model: SemanticModel,
  told: Told,
): readonly Occurrence[] | undefined {
  const earlier = periodOf(own);
  let fact: SemanticTable | undefined;
  const occurrences: Occurrence[] = [];
  for (const { negated, both, items } of clauses) {
    const named = items.map((item) => factOf(item, subject, model)).find((one) => one !== undefined);
    fact = named ?? fact ?? usualFact(subject, model);
    if (!fact) return undefined;
    const mentioned = [spokenTable(fact)];
    const conditions = items.filter((item) => item.kind !== "event" && factOf(item, subject, model) === undefined);
    const filters = filtersOf(conditions, mentioned, true, model, told);
    const period = periodOf(items) ?? earlier;
    const held = negated && filters.length === 0 && !periodOf(items) && occurrences.length > 0 && !items.some(happens);
    if (held) return undefined;
    const each = both ? filters.flatMap(oneByOne) : [undefined];
    for (const filter of each) {
      const reached = reachedFrom(fact, filter ? [filter] : filters, subject, model);
      if (!reached) return undefined;
      occurrences.push({ negated, fact: reached, filters: filter ? [filter] : filters, ...(period && { period }) });
    }
  }
  return occurrences;
}

function happens({ kind }: Item): boolean {
  return kind === "event" || kind === "ref";
}

/** "both Tea and Coffee": two things that happened. */
function oneByOne(filter: Filter): readonly Filter[] {
  return filter.kind === "values" ? filter.values.map((value) => ({ ...filter, values: [value] })) : [filter];
}

/** The table that knows what the conditions are about: orders of Tea are lines of orders. */
function reachedFrom(
  fact: SemanticTable,
  filters: readonly Filter[],
  subject: SemanticTable,
  model: SemanticModel,
): SemanticTable | undefined {
  const joins = joinsOf(model);
  const reaches = (table: SemanticTable) =>
    [subject, fact, ...filters.map((filter) => filter.table)].every(
      (other) => table === other || joins.path(table, other, new Set()) !== undefined,
    );
  if (reaches(fact)) return fact;
  return model.tables.find(reaches);
}
