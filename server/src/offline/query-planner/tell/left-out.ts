import type { SemanticModel, SemanticTable } from "#analytics";
import { spokenTable } from "../lexicon/table-words.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";

/** A table that was named, far from all that is read: "balance of suppliers" where only customers have a balance. */
export function withoutPart(
  subjects: readonly SemanticTable[],
  base: SemanticTable,
  read: ReadonlySet<SemanticTable>,
  model: SemanticModel,
): readonly string[] {
  const joins = joinsOf(model);
  const left = subjects.filter((table) => {
    const steps = joins.path(base, table, new Set())?.steps.length;
    return !read.has(table) && (steps === undefined || steps > 1);
  });
  return left.map((table) => `I found no part for ${spokenTable(table)} and left it out.`);
}

/** "customers with fewer than 3 orders": who has none has no row that could be counted. */
export function onlySome({ having, dimensions }: SemanticQuery): readonly string[] {
  const groups = dimensions.flatMap((one) => (one.kind === "entity" ? [one.table] : []));
  return having.flatMap(({ measure, comparison, value }) => {
    const admitsNone = comparison.startsWith("<") || (comparison === "=" && value === 0);
    if (measure.kind !== "rows" || !admitsNone || groups.length === 0 || groups.includes(measure.table)) return [];
    const [of, what] = [groups.map(spokenTable).join(" and "), spokenTable(measure.table)];
    return [`Only ${of} with some ${what} are looked at; those without any are not counted.`];
  });
}
