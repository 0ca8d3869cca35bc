import type { SemanticModel, SemanticTable } from "#analytics";
import { tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import { dimensionLabel } from "../query/labels.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";

/** Words by which all related rows must be so: "orders were all shipped", "who only ordered Tea", "passed every inspection", "with only open orders". */
const OF_ALL =
  /\b(?:(?:were|are|was|is|been|have|has|had|having|with|who|that|which|\p{L}+ed) (?:all|every|only|always|exclusively)|(?:all|every one) (?:of )?(?:their|its|his|her|whose))\b/iu;

/** "who bought every beer", "that ordered in each month": each of what follows is asked for, and not a split by it. */
const OF_EACH = /\b(?:who|that|which)\b(?:\s+\p{L}+){1,3}?(?<!\b(?:for|of|by|per|on))\s+(?:every|each|all)\b/iu;

/**
 * Why "customers whose orders were all shipped" has no answer (CA-92): conditions on related rows ask for one row that is so. Undefined where no condition is on
 * rows of which the subject may have many.
 */
export function refusalOfAll(
  question: string,
  { filters, existence, dimensions }: SemanticQuery,
  [first]: readonly SemanticTable[],
  model: SemanticModel,
): string | undefined {
  const subject = existence?.subject ?? first;
  if (subject && OF_EACH.test(question) && dimensions.some((one) => one.kind === "column" || one.kind === "time")) {
    const things = tableLabel(subject);
    const what = dimensions.map(dimensionLabel).join(" and ");
    return `I can find ${things} with some ${what}, and ${things} without, but not those with every ${what}.`;
  }
  const [things, ...others] = dimensions.filter(({ kind }) => kind !== "entity").map(dimensionLabel);
  // "brewers who brewed every beer", of columns of one table
  if (!subject && things !== undefined && others.length > 0 && OF_EACH.test(question))
    return `I can find each ${things} with some ${others.join(" and ")}, but not those with every ${others.join(" and ")}.`;
  if (!subject || !OF_ALL.test(question)) return undefined;
  const joins = joinsOf(model);
  const isOfMany = (table: SemanticTable) => table !== subject && !joins.path(subject, table, new Set());
  const related = [
    ...filters.map((filter) => (filter.kind === "related" ? filter.occurrence.fact : filter.table)),
    ...(existence?.occurrences ?? []).filter((one) => one.filters.length > 0 && !one.negated).map(({ fact }) => fact),
  ];
  const rows = related.find(isOfMany);
  if (!rows) return undefined;
  const [whose, what] = [tableLabel(subject), tableLabel(rows)];
  return `I can find ${whose} with such ${what}, and ${whose} without, but not those whose ${what} are all so.`;
}
