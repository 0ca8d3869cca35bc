import type { SemanticModel } from "#analytics";
import { isOfPeople, spokenTable } from "../lexicon/table-words.ts";
import type { Item } from "../parse/item.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Existence, Filter } from "../query/semantic-query.ts";
import { filtersOf, type Told } from "./chosen-values.ts";
import { begins, chosenBefore, clausesOf } from "./clauses.ts";
import { occurrencesOf } from "./occurrences.ts";
import { isMeasure, isNoValue, tableOf } from "./pieces.ts";

/** A question about things by what happened to them. */
export interface ReadExistence {
  readonly existence: Existence;
  /** What the things themselves are: "customers in Leeds". */
  readonly filters: readonly Filter[];
  readonly warnings: readonly string[];
  readonly unknown: readonly string[];
}

/** Pieces that may stand in such a question; with any other it is about something else. */
const POSSIBLE = new Set<Item["kind"]>([
  "ref",
  "aggregate",
  "count",
  "which",
  "list",
  "period",
  "not",
  "event",
  "both",
  "follow-up",
  "unknown",
]);

/**
 * Reads "customers who did not order in 2026", "how many customers bought both Tea and Coffee", "orders without items": a thing,
 * and what happened to it. Undefined where the question is not of this form.
 */
export function readExistence(items: readonly Item[], model: SemanticModel): ReadExistence | undefined {
  if (items.some(({ kind }) => !POSSIBLE.has(kind))) return undefined;
  if (items.some((item) => item.kind === "aggregate" && item.fn !== "distinct")) return undefined;
  // "who never ordered": the table of people is meant before any other is named.
  const place = items.findIndex((item) => (item.kind === "which" && item.person) || tableOf(item) !== undefined);
  const subject = tableOf(items[place]) ?? (place >= 0 ? model.tables.find(isOfPeople) : undefined);
  if (!subject || items[0]?.kind === "follow-up") return undefined;
  const rest = items.slice(place + 1);
  const found = rest.findIndex((item, at) => begins(item, rest.slice(at + 1).find(isNoValue), subject, model));
  if (found < 0) return undefined;
  const begin = found - chosenBefore(rest.slice(0, found), subject);
  if (rest.slice(0, begin).some((item) => item.kind === "follow-up" && item.adds)) return undefined;
  const told: Told = { warnings: [], unknown: [] };
  const own = [...items.slice(0, place), ...rest.slice(0, begin)];
  if (own.some((item) => item.kind === "ref" && isMeasure(item))) return undefined;
  const clauses = clausesOf(rest.slice(begin));
  const occurrences = occurrencesOf(clauses, subject, own, model, told);
  if (!occurrences) return undefined;
  const filters = filtersOf(own, [spokenTable(subject)], false, model, told);
  const joins = joinsOf(model);
  if (filters.some(({ table }) => table !== subject && !joins.path(subject, table, new Set()))) return undefined;
  const pieces = items.some(({ kind }) => kind === "event") && own.every(({ kind }) => kind !== "aggregate");
  const counted = own.some(({ kind }) => kind === "count" || kind === "aggregate");
  if (counted && pieces && !occurrences.some(({ negated }) => negated) && !isOfPeople(subject)) {
    told.warnings.push(`Different ${spokenTable(subject)} were counted, not pieces.`);
  }
  return {
    existence: { subject, counted, occurrences },
    filters,
    warnings: told.warnings,
    unknown: told.unknown,
  };
}
