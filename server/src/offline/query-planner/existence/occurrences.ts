import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import type { Constituent } from "../constituents/constituent.ts";
import { disambiguate } from "../lexicon/disambiguate.ts";
import { flagValues, isFlag, isKey, isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Filter, Occurrence } from "../query/semantic-query.ts";
import { defaultFactTable, factTableOf, isMeasure, isNoValue, periodOf } from "./fact-table.ts";

/** The occurrences of all clauses; undefined where one has no fact table. `own`: constituents about the subject itself. */
export function occurrencesOf(
  clauses: readonly Clause[],
  subject: SemanticTable,
  own: readonly Constituent[],
  model: SemanticModel,
  notes: Notes,
): readonly Occurrence[] | undefined {
  const earlier = periodOf(own);
  let fact: SemanticTable | undefined;
  const occurrences: Occurrence[] = [];
  for (const { negated, both, constituents } of clauses) {
    const named = constituents
      .map((constituent) => factTableOf(constituent, subject, model))
      .find((one) => one !== undefined);
    fact = named ?? fact ?? defaultFactTable(subject, model);
    if (!fact || (negated && constituents.some(isNumberColumn))) return undefined;
    const mentioned = [tableLabel(fact)];
    const conditions = constituents.filter(
      (constituent) => constituent.kind !== "event" && factTableOf(constituent, subject, model) === undefined,
    );
    const filters = filtersOf(conditions, mentioned, true, model, notes);
    const period = periodOf(constituents) ?? earlier;
    const isDangling =
      negated &&
      filters.length === 0 &&
      !periodOf(constituents) &&
      occurrences.length > 0 &&
      !constituents.some(happens);
    if (isDangling) return undefined;
    if (!both && constituents.some(isAnd)) notes.warnings.push(...filters.flatMap(eitherOf));
    const each = both ? filters.flatMap(oneByOne) : [undefined];
    for (const filter of each) {
      const reached = factTableReaching(fact, filter ? [filter] : filters, subject, model);
      if (!reached) return undefined;
      occurrences.push({ negated, fact: reached, filters: filter ? [filter] : filters, ...definedFields({ period }) });
    }
  }
  return occurrences;
}

/** "orders without discount": rows have a number, and whether zero is none of it nobody says. */
function isNumberColumn(constituent: Constituent): boolean {
  if (constituent.kind !== "ref") return false;
  return constituent.meanings.some(
    (meaning) => meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column),
  );
}

function isAnd(constituent: Constituent): boolean {
  return constituent.kind === "follow-up" && constituent.adds === true;
}

/** "bought Tea and Coffee" may ask for those who bought both. */
function eitherOf(filter: Filter): readonly string[] {
  if (filter.kind !== "values" || filter.values.length < 2) return [];
  const values = filter.values.join(" and ");
  return [`One of ${values} is enough; say “both ${values}” for those with all of them.`];
}

function happens({ kind }: Constituent): boolean {
  return kind === "event" || kind === "ref";
}

/** "both Tea and Coffee": one occurrence for each value. */
function oneByOne(filter: Filter): readonly Filter[] {
  return filter.kind === "values" ? filter.values.map((value) => ({ ...filter, values: [value] })) : [filter];
}

/** The table from which all filters can be joined: orders of Tea are lines of orders. */
function factTableReaching(
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

/** The constituents of one occurrence. */
interface Clause {
  readonly negated: boolean;
  readonly both: boolean;
  readonly constituents: readonly Constituent[];
}

/** Whether the occurrences begin here: with an event, a table whose rows belong to the subject, or a negation of these. */
export function begins(
  constituent: Constituent,
  next: Constituent | undefined,
  subject: SemanticTable,
  model: SemanticModel,
): boolean {
  if (constituent.kind === "event" || constituent.kind === "both") return true;
  if (constituent.kind === "not") return next?.kind === "event" || factTableOf(next, subject, model) !== undefined;
  return (
    factTableOf(constituent, subject, model) !== undefined && !(constituent.kind === "ref" && isMeasure(constituent))
  );
}

/** "customers with delivered orders": the number of values directly before the occurrence that filter it, not the subject. */
export function chosenBefore(constituents: readonly Constituent[], subject: SemanticTable): number {
  const others = constituents.findLastIndex((constituent) => isNoValue(constituent) || isOf(constituent, subject));
  return constituents.length - 1 - others;
}

function isOf(constituent: Constituent, table: SemanticTable): boolean {
  return (
    constituent.kind === "ref" &&
    constituent.meanings.some((meaning) => meaning.kind === "value" && meaning.table === table)
  );
}

/** Splits the constituents into clauses: each negation begins a new one. */
export function clausesOf(constituents: readonly Constituent[]): readonly Clause[] {
  const clauses: { negated: boolean; both: boolean; constituents: Constituent[] }[] = [
    { negated: false, both: false, constituents: [] },
  ];
  for (const constituent of constituents) {
    const clause = clauses.at(-1);
    if (!clause) continue;
    if (constituent.kind === "not" && clause.constituents.length > 0)
      clauses.push({ negated: true, both: false, constituents: [] });
    else if (constituent.kind === "not") clause.negated = true;
    else if (constituent.kind === "both") clause.both = true;
    else clause.constituents.push(constituent);
  }
  return clauses;
}

/** Warnings and unknown words, collected during the parse. */
export interface Notes {
  readonly warnings: string[];
  readonly unknown: string[];
}

/** The filters of the values; all other constituents are reported as unknown. */
export function filtersOf(
  constituents: readonly Constituent[],
  mentioned: readonly string[],
  reportTables: boolean,
  model: SemanticModel,
  notes: Notes,
): readonly Filter[] {
  const filters: Filter[] = [];
  const columns: (readonly [text: string, column: SemanticColumn])[] = [];
  for (const constituent of constituents) {
    if (constituent.kind === "unknown") notes.unknown.push(constituent.text);
    if (constituent.kind !== "ref") continue;
    const values = constituent.meanings.filter(({ kind }) => kind === "value");
    const chosen = disambiguate(
      constituent.text,
      values.length > 0 ? values : constituent.meanings,
      mentioned,
      joinsOf(model),
    );
    if (chosen?.warning) notes.warnings.push(chosen.warning);
    const { meaning } = chosen ?? {};
    if (meaning?.kind === "value") addValue(filters, meaning);
    else if (meaning?.kind === "column" && isFlag(meaning.column)) addFlag(filters, meaning);
    else if (meaning?.kind === "column") columns.push([constituent.text, meaning.column]);
    else if (reportTables) notes.unknown.push(constituent.text);
  }
  // "in the city of London": the column is redundant beside its value; alone it is not understood.
  const alone = columns.filter(([, column]) => filters.every((filter) => filter.column !== column));
  notes.unknown.push(...alone.map(([text]) => text));
  return filters;
}

/** "meters with estimated readings". */
function addFlag(filters: Filter[], { table, column }: Extract<Meaning, { kind: "column" }>): void {
  const value = flagValues(column)?.yes;
  if (value !== undefined) addValue(filters, { kind: "value", table, column, value });
}

function addValue(filters: Filter[], meaning: Extract<Meaning, { kind: "value" }>): void {
  const known = filters.findIndex((filter) => filter.kind === "values" && filter.column === meaning.column);
  const same = filters[known];
  if (same?.kind === "values") filters[known] = { ...same, values: [...same.values, meaning.value] };
  else filters.push({ ...meaning, kind: "values", values: [meaning.value], negated: false });
}
