import type { SemanticModel } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import { isAboutPeople, tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Existence, Filter } from "../query/semantic-query.ts";
import { isMeasure, isNoValue, tableOf } from "./fact-table.ts";
import { begins, chosenBefore, clausesOf, filtersOf, type Notes, occurrencesOf } from "./occurrences.ts";

/** A question for rows by the existence of related rows (semi-join and anti-join). */
export interface ParsedExistence {
  readonly existence: Existence;
  /** Filters of the subject itself: "customers in Leeds". */
  readonly filters: readonly Filter[];
  readonly warnings: readonly string[];
  readonly unknown: readonly string[];
}

/** The constituents of such a question; with any other it is of another form. */
const POSSIBLE = new Set<Constituent["kind"]>([
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
 * Reads "customers who did not order in 2026", "how many customers bought both Tea and Coffee", "orders without items": a
 * subject and its occurrences. Undefined where the question is not of this form.
 */
export function parseExistence(all: readonly Constituent[], model: SemanticModel): ParsedExistence | undefined {
  // "category = Tea" is "category Tea"; "channel != Web" chooses rows and denies none.
  const constituents = all.filter((constituent) => constituent.kind !== "equality" || constituent.negated);
  if (constituents.some(({ kind }) => !POSSIBLE.has(kind))) return undefined;
  if (constituents.some((constituent) => constituent.kind === "aggregate" && constituent.fn !== "distinct"))
    return undefined;
  // "who never ordered": the table of people is the subject, before any other table.
  const place = constituents.findIndex(
    (constituent) => (constituent.kind === "which" && constituent.person) || tableOf(constituent) !== undefined,
  );
  const subject = tableOf(constituents[place]) ?? (place >= 0 ? model.tables.find(isAboutPeople) : undefined);
  if (!subject || constituents[0]?.kind === "follow-up") return undefined;
  const rest = constituents.slice(place + 1);
  const found = rest.findIndex((constituent, at) =>
    begins(constituent, rest.slice(at + 1).find(isNoValue), subject, model),
  );
  if (found < 0) return undefined;
  const begin = found - chosenBefore(rest.slice(0, found), subject);
  if (rest.slice(0, begin).some((constituent) => constituent.kind === "follow-up" && constituent.adds))
    return undefined;
  const notes: Notes = { warnings: [], unknown: [] };
  const own = [...constituents.slice(0, place), ...rest.slice(0, begin)];
  if (own.some((constituent) => constituent.kind === "ref" && isMeasure(constituent))) return undefined;
  const clauses = clausesOf(rest.slice(begin));
  const occurrences = occurrencesOf(clauses, subject, own, model, notes);
  // "in both September and October" names no rows.
  if (!occurrences?.length) return undefined;
  const filters = filtersOf(own, [tableLabel(subject)], false, model, notes);
  const joins = joinsOf(model);
  if (filters.some(({ table }) => table !== subject && !joins.path(subject, table, new Set()))) return undefined;
  const pieces = constituents.some(({ kind }) => kind === "event") && own.every(({ kind }) => kind !== "aggregate");
  const counted = own.some(({ kind }) => kind === "count" || kind === "aggregate");
  if (counted && pieces && !occurrences.some(({ negated }) => negated) && !isAboutPeople(subject)) {
    notes.warnings.push(`Different ${tableLabel(subject)} were counted, not pieces.`);
  }
  return {
    existence: { subject, counted, occurrences },
    filters,
    warnings: notes.warnings,
    unknown: notes.unknown,
  };
}
