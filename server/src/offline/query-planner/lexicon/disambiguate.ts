import type { Joins } from "../query/join-graph.ts";
import type { Meaning } from "./meaning.ts";
import { tableLabel } from "./names.ts";

/** The chosen meaning of a phrase, with a warning if it was ambiguous. */
export interface ChosenMeaning {
  readonly meaning: Meaning;
  readonly warning?: string;
}

/**
 * Word-sense disambiguation: the meaning of a mentioned table, else of the table with the fewest joins to one. A tie is resolved
 * by the order of the tables, with a warning.
 */
export function disambiguate(
  text: string,
  meanings: readonly Meaning[],
  mentioned: readonly string[],
  joins: Joins,
): ChosenMeaning | undefined {
  const kinds = preferredKinds(meanings);
  const ranked = kinds
    .map((meaning) => ({ meaning, distance: nearest(meaning, mentioned, joins) }))
    .toSorted((left, right) => left.distance - right.distance);
  const [first, second] = ranked;
  if (!first) return undefined;
  if (!second || second.distance > first.distance) return { meaning: first.meaning };
  // Of a table that is named, a column is meant; a value may still be that of two of its columns.
  if (first.distance === 0 && first.meaning.kind !== "value") return { meaning: first.meaning };
  const others = ranked.slice(1).filter(({ distance }) => distance === first.distance);
  const names = others.map(({ meaning }) => describe(meaning)).join(" or ");
  return {
    meaning: first.meaning,
    warning: `“${text}” is read as ${describe(first.meaning)}; it could also be ${names}.`,
  };
}

/** A name of the catalog wins over a value of the same spelling. */
function preferredKinds(meanings: readonly Meaning[]): readonly Meaning[] {
  for (const kind of ["measure", "table", "rate", "column", "value"] as const) {
    const found = meanings.filter((meaning) => meaning.kind === kind);
    if (found.length > 0) return found;
  }
  return [];
}

function nearest(meaning: Meaning, mentioned: readonly string[], joins: Joins): number {
  if (mentioned.length === 0) return 0.5;
  return Math.min(...mentioned.map((table) => joins.distance(table, tableLabel(meaning.table))));
}

function describe(meaning: Meaning): string {
  const table = tableLabel(meaning.table);
  switch (meaning.kind) {
    case "table":
      return `the table ${table}`;
    case "measure":
      return `the measure ${meaning.measure.name} of ${table}`;
    case "column":
      return `${meaning.column.name} of ${table}`;
    case "rate":
      return `how often ${meaning.column.name} of ${table} is ${meaning.value}`;
    case "value":
      return `${/^[aeiou]/i.test(meaning.column.name) ? "an" : "a"} ${meaning.column.name} of ${table}`;
  }
}
