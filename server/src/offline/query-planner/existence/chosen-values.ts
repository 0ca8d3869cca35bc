import type { SemanticColumn, SemanticModel } from "#analytics";
import type { Meaning } from "../lexicon/meaning.ts";
import type { Item } from "../parse/item.ts";
import { chooseMeaning } from "../query/choose-meaning.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Filter } from "../query/semantic-query.ts";

/** What has to be said about a reading; it grows as the pieces are read. */
export interface Told {
  readonly warnings: string[];
  readonly unknown: string[];
}

/** Filters of values; everything else that was said is told as not understood. */
export function filtersOf(
  items: readonly Item[],
  mentioned: readonly string[],
  tellTables: boolean,
  model: SemanticModel,
  told: Told,
): readonly Filter[] {
  const filters: Filter[] = [];
  const columns: (readonly [text: string, column: SemanticColumn])[] = [];
  for (const item of items) {
    if (item.kind === "unknown") told.unknown.push(item.text);
    if (item.kind !== "ref") continue;
    const values = item.meanings.filter(({ kind }) => kind === "value");
    const chosen = chooseMeaning(item.text, values.length > 0 ? values : item.meanings, mentioned, joinsOf(model));
    if (chosen?.warning) told.warnings.push(chosen.warning);
    const { meaning } = chosen ?? {};
    if (meaning?.kind === "value") addValue(filters, meaning);
    else if (meaning?.kind === "column") columns.push([item.text, meaning.column]);
    else if (tellTables) told.unknown.push(item.text);
  }
  // "in the city of London": the value says it; a column alone was asked for something else.
  const alone = columns.filter(([, column]) => filters.every((filter) => filter.column !== column));
  told.unknown.push(...alone.map(([text]) => text));
  return filters;
}

function addValue(filters: Filter[], meaning: Extract<Meaning, { kind: "value" }>): void {
  const known = filters.findIndex((filter) => filter.kind === "values" && filter.column === meaning.column);
  const same = filters[known];
  if (same?.kind === "values") filters[known] = { ...same, values: [...same.values, meaning.value] };
  else filters.push({ ...meaning, kind: "values", values: [meaning.value], negated: false });
}
