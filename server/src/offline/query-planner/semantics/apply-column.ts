import type { SemanticColumn } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { flagValues, isFlag, isKey, isNumeric, isTemporal, isYear, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import { boundsAggregate } from "./apply-bound.ts";
import { momentColumn } from "./apply-table.ts";
import { applyTimeColumn } from "./apply-time.ts";
import { addColumn, addEntity, completeRanking } from "./grouping.ts";
import { combineNumbers, measureColumn } from "./measures.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** "average price" is a measure, "by channel" a dimension, "how many cities" a count, "price over 50" the column of a filter. */
export function applyColumn(parse: SemanticParse, ref: ColumnRef, plural: boolean, at: number): void {
  const { pending, cues } = parse;
  const [following, behind] = parse.constituents.slice(at + 1, at + 3);
  // "status = open", "caused by fire"
  const isOfValue = following?.kind === "equality" || (following?.kind === "group" && isValueOf(behind, ref));
  const next = isOfValue ? behind : following;
  if (refuseNested(parse, ref) || refuseNumberWithout(parse, ref, at) || combineNumbers(parse, ref)) return;
  if (choosesEmpty(parse, ref, at)) applyEmpty(parse, ref);
  else if (isTemporal(ref.column) && parse.moment) applyMoment(parse, ref, parse.moment);
  else if (parse.moment && ranksByMoment(parse, ref)) rankByMoment(parse, ref, parse.moment);
  else if (asksDays(parse, ref, at)) listOrCountDays(parse, ref);
  else if (isTemporal(ref.column)) applyTimeColumn(parse, ref, at);
  else if (boundsAggregate(parse, at + 1)) measureColumn(parse, ref, at);
  else if (isBound(next, ref) || isSaidAlready(parse, ref)) return;
  else if (choosesByFlag(parse, ref, next)) applyFlag(parse, ref);
  else if (pending.group && pending.aggregate === "avg" && !isNumeric(ref.column)) groupAverage(parse, ref);
  else if (isListed(parse, ref)) parse.subjects.push(ref.table);
  else if (pending.aggregate || (isNumber(parse, ref) && !isRanked(following, behind))) {
    refuseNumberOfNumber(parse, ref, at);
    warnBesideCount(parse, ref, at);
    measureOfEach(parse, ref);
    measureColumn(parse, ref, at);
  } else if (pending.count && !pending.group) countValues(parse, ref);
  else if (!isValueOf(next, ref)) groupByColumn(parse, ref, plural);
  // "not in London with segment Trade": what was negated is of the column before.
  else if (!cues.openNegation) pending.negated = false;
}

/** "how many days had rain", "days with rain over 5": days are asked for, of which each may have several rows; "delivered in May" is a time of them. */
function asksDays({ constituents, draft }: SemanticParse, { column }: ColumnRef, at: number): boolean {
  const [own, next] = constituents.slice(at, at + 2);
  const before = constituents.slice(0, at);
  const asks = before.every(({ kind }) => kind === "count" || kind === "list" || kind === "which");
  const isEmpty = draft.measures.length === 0 && draft.dimensions.length === 0;
  const called = before.at(-1)?.kind === "which" ? /\b(days?|dates?)$/i : /\b(days|dates)$/i;
  const isDays = column.type === "DATE" && own?.kind === "ref" && called.test(own.text);
  return isDays && asks && isEmpty && next?.kind !== "period";
}

function listOrCountDays(parse: SemanticParse, ref: ColumnRef): void {
  if (parse.pending.count) countValues(parse, ref);
  else addColumn(parse, ref);
  parse.pending = nothingPending();
}

/** "visits by tag", where each has several tags: lists and records are equal as a whole only (CA-99). */
function refuseNested({ refusals }: SemanticParse, { table, column }: ColumnRef): boolean {
  const stored = table.schema.columns.find(({ name }) => name === column.name);
  if (stored?.mode !== "REPEATED" && stored?.type !== "STRUCT") return false;
  const fields = (stored.fields ?? []).map(({ name }) => name).join(", ");
  const what = stored.mode === "REPEATED" ? "has a list in each row" : `is a record of ${fields}`;
  const name = `${columnLabel(table, column)} of ${tableLabel(table)}`;
  refusals.push(
    `${name} ${what}, and I compare single values only. Ask in SQL, or give the data agent a view in which they are columns.`,
  );
  return true;
}

/** "pubs by amount": the amount of each pub, and not of all. */
function measureOfEach(parse: SemanticParse, { table, column }: ColumnRef): void {
  const { pending, cues, draft, subjects, model } = parse;
  const [subject, other] = subjects;
  const isPlain = draft.measures.length === 0 && draft.dimensions.length === 0 && !draft.top;
  if (!pending.group || cues.per || !isPlain || !subject || other || subject === table) return;
  if (!joinsOf(model).path(table, subject, new Set())) return;
  addEntity(parse, subject);
  parse.warnings.push(`The ${columnLabel(table, column)} of each of ${tableLabel(subject)} is told.`);
}

/** "orders without coupon", "not shipped", "missing kwh": rows that have no value there; "price without tax" is another number. */
function choosesEmpty(parse: SemanticParse, ref: ColumnRef, at: number): boolean {
  const { pending, draft, cues, constituents } = parse;
  const { negated, group, which, aggregate, top } = pending;
  const [own, next, behind] = constituents.slice(at, at + 3);
  if (!negated || !cues.openNegation || group || which || aggregate || top || isFlag(ref.column)) return false;
  if (own?.kind !== "ref" || own.part || own.guessed !== undefined || constituents[at - 1]?.kind !== "not")
    return false;
  if (parse.subjects.length > 0 && !parse.subjects.includes(ref.table)) return false;
  if (isKey(ref.table, ref.column) || isValueOf(next, ref) || isBound(next, ref)) return false;
  if (next?.kind === "group" && isValueOf(behind, ref)) return false;
  // "no rain" is none, "missing rain" was not measured.
  if (isNumeric(ref.column) && !cues.missing) return false;
  const before = constituents[at - 1];
  if (before?.kind === "not" && before.prefix) return isTemporal(ref.column) && !isOfOthers(next, ref);
  if (isTemporal(ref.column)) return draft.period === undefined && isEndOrGroup(next, behind);
  return draft.measures.every(({ kind }) => kind === "rows");
}

/** "permits without a fee", "readings without kwh": nothing is stored, or zero. */
function refuseNumberWithout({ pending, cues, constituents, refusals }: SemanticParse, ref: ColumnRef, at: number) {
  const next = constituents[at + 1];
  const isOpen = pending.negated && cues.openNegation && !cues.missing && constituents[at - 1]?.kind === "not";
  const isPlain =
    isNumeric(ref.column) &&
    !isKey(ref.table, ref.column) &&
    !isFlag(ref.column) &&
    /^(hundredth|undefined)$/.test(String(computedOf(ref.column)?.kind));
  if (!isOpen || !isPlain || isBound(next, ref)) return false;
  const name = columnLabel(ref.table, ref.column);
  refusals.push(
    `Rows without ${name} may have none stored, or zero. Say “missing ${name}” or “${name} = 0” for one of the two.`,
  );
  cues.openNegation = false;
  return true;
}

/** "undischarged patients", where admissions are discharged. */
function isOfOthers(next: Constituent | undefined, { table }: ColumnRef): boolean {
  if (next?.kind !== "ref") return false;
  const tables = next.meanings.filter(({ kind }) => kind === "table");
  return tables.length > 0 && tables.every((one) => one.table !== table);
}

/** "not shipped", "not shipped by carrier"; "not shipped by rail" and "not shipped in June" say more. */
function isEndOrGroup(next: Constituent | undefined, behind: Constituent | undefined): boolean {
  if (next?.kind === "group") return behind?.kind === "ref" && behind.meanings.every(({ kind }) => kind !== "value");
  return next === undefined || next.kind === "grain";
}

function applyEmpty(parse: SemanticParse, ref: ColumnRef): void {
  const { draft, cues, pending, subjects } = parse;
  if (pending.count && draft.measures.length === 0)
    draft.measures.push({ kind: "rows", table: subjects[0] ?? ref.table });
  if (!subjects.includes(ref.table)) subjects.push(ref.table);
  draft.filters.push({ kind: "empty", ...ref });
  cues.openNegation = false;
  parse.pending = nothingPending();
}

/** "latest order date": the largest of the column. */
function applyMoment(parse: SemanticParse, ref: ColumnRef, fn: "min" | "max"): void {
  parse.draft.measures.push({ kind: "aggregate", fn, ...ref });
  parse.moment = undefined;
  parse.pending = nothingPending();
}

/** "oldest patient", where patients are a column of appointments with a date of birth. */
function ranksByMoment(parse: SemanticParse, { table, column }: ColumnRef): boolean {
  return parse.cues.namesMoment && !isNumeric(column) && timeColumns(table).length > 0;
}

function rankByMoment(parse: SemanticParse, ref: ColumnRef, fn: "min" | "max"): void {
  const column = momentColumn(parse, ref.table);
  if (!column) return;
  const { draft, warnings } = parse;
  addColumn(parse, ref);
  draft.measures.push({ kind: "aggregate", fn, table: ref.table, column });
  draft.top = { count: draft.top?.count ?? 1, direction: fn === "min" ? "least" : "most" };
  const [name, time] = [columnLabel(ref.table, ref.column), columnLabel(ref.table, column)];
  warnings.push(
    `“${parse.cues.moment ?? ""} ${name}” is read as the one with the ${fn === "min" ? "first" : "last"} ${time}.`,
  );
  parse.moment = undefined;
  parse.pending = nothingPending();
}

/** "remote employees", "with auto renew": the flag chooses rows; "by remote", "which" and "different" ask for its values. */
function choosesByFlag(
  { pending, constituents }: SemanticParse,
  ref: ColumnRef,
  next: Constituent | undefined,
): boolean {
  const { group, which, aggregate, top } = pending;
  // "top 5 customers by late orders" ranks by the number of such orders.
  if (group && top && isOwnTable(next, ref)) return constituents.length > 1 && isFlag(ref.column);
  // The 0 and 1 of goals are flags by chance: of a ranking they are a number.
  if (top && ref.column.zeroOrOne) return false;
  return !group && !which && !aggregate && constituents.length > 1 && isFlag(ref.column) && !isValueOf(next, ref);
}

function isOwnTable(next: Constituent | undefined, { table }: ColumnRef): boolean {
  return next?.kind === "ref" && next.meanings.some((one) => one.kind === "table" && one.table === table);
}

/** "without auto renew" are those whose flag says no. */
function applyFlag(parse: SemanticParse, ref: ColumnRef): void {
  const { draft, cues, pending } = parse;
  const values = flagValues(ref.column);
  if (!values) return;
  // "pubs that never returned anything" have no such row at all; that one of their rows is another says nothing.
  if (pending.negated && cues.never) {
    draft.filters.push({ kind: "values", ...ref, values: [values.yes], negated: true, never: true });
    cues.openNegation = false;
    pending.negated = false;
    return;
  }
  const chosen = pending.negated ? values.no : values.yes;
  const other = draft.filters.find((filter) => filter.kind === "values" && filter.column === ref.column);
  if (other?.kind === "values" && !other.values.includes(chosen)) {
    // "smokers and non smokers": both are compared, because no row is both.
    draft.filters = draft.filters.filter((filter) => filter !== other);
    addColumn(parse, ref);
  } else draft.filters.push({ kind: "values", ...ref, values: [chosen], negated: false });
  cues.openNegation = false;
  pending.negated = false;
}

/** Whether the next constituent is a bound of the column, as in "size 50". */
function isBound(next: Constituent | undefined, { column }: ColumnRef): boolean {
  if (!isNumeric(column)) return false;
  if (next?.kind === "number") return true;
  return next?.kind === "compare" || next?.kind === "between" || next?.kind === "average-bound";
}

/** "a price above the average price", "the Tea category": the column is redundant, and no keyword groups by it. */
function isSaidAlready({ averaged, beforeLast, pending }: SemanticParse, { column }: ColumnRef): boolean {
  if (averaged?.column === column) return true;
  const { group, which, top, count, aggregate } = pending;
  const isOpen = group || which || top || count || aggregate;
  return beforeLast?.kind === "value" && beforeLast.column === column && !isOpen && !computedOf(column);
}

/** "list the prices" shows rows: no aggregate was asked for. */
function isListed({ cues, pending, draft }: SemanticParse, { table, column }: ColumnRef): boolean {
  const { aggregate, group, count, top, which } = pending;
  if (!cues.listed || aggregate || group || count || top || which || draft.measures.length > 0) return false;
  return isNumeric(column) && !isKey(table, column) && draft.dimensions.length === 0 && draft.top === undefined;
}

/** "number of orders with discount": the column does not filter the orders. */
function warnBesideCount(
  { draft, constituents, pending, warnings }: SemanticParse,
  { table, column }: ColumnRef,
  at: number,
): void {
  const counted = draft.measures.at(-1);
  if (counted?.kind !== "rows" || pending.aggregate || constituents[at - 1]?.kind === "follow-up") return;
  warnings.push(`No ${tableLabel(counted.table)} were chosen by ${columnLabel(table, column)}; it is told beside.`);
}

function groupAverage(parse: SemanticParse, ref: ColumnRef): void {
  addColumn(parse, ref);
  parse.pending = nothingPending();
}

function isNumber({ pending, draft, cues, subjects }: SemanticParse, { table, column }: ColumnRef): boolean {
  if (!isNumeric(column) || isKey(table, column) || (column.zeroOrOne && pending.group)) return false;
  if (isYear(column)) return !pending.group && !pending.which;
  // "customers by age" are counted by it; "target by age" has its number before.
  if (
    pending.group &&
    !cues.per &&
    !draft.top &&
    isSplitBy(column) &&
    subjects.length > 0 &&
    draft.measures.length === 0
  )
    return false;
  // "average price by size": after a number, a whole number is what it is split by; a ranking has its number there.
  return !(pending.group && !cues.per && draft.measures.length > 0 && !draft.top && isSplitBy(column));
}

/** "grade level with the most students": what is ranked by a number of rows is no number. */
function isRanked(next: Constituent | undefined, behind: Constituent | undefined): boolean {
  return next?.kind === "top" && behind?.kind === "ref" && behind.meanings.some(({ kind }) => kind === "table");
}

/** Fractions are measured: hardly two rows have the same. */
function isSplitBy({ type }: SemanticColumn): boolean {
  return type === "INT64";
}

/** "average age of people", "revenue by latitude": the second number neither divides nor adds to the first. */
function refuseNumberOfNumber(
  { draft, constituents, pending, cues, refusals }: SemanticParse,
  ref: ColumnRef,
  at: number,
) {
  const [own, before] = [constituents[at], draft.measures.at(-1)];
  if (before?.kind !== "aggregate" || pending.aggregate || draft.top || before.column === ref.column) return;
  const joined = pending.group ? (cues.per ? "per" : "by") : own?.kind === "ref" && own.of ? "of" : undefined;
  if (joined === undefined) return;
  const [one, other] = [columnLabel(before.table, before.column), columnLabel(ref.table, ref.column)];
  refusals.push(`${one} and ${other} are both numbers, and I do not know what “${one} ${joined} ${other}” is.`);
}

function countValues(parse: SemanticParse, { table, column }: ColumnRef): void {
  parse.draft.measures.push({ kind: "aggregate", fn: "distinct", table, column });
  parse.pending = nothingPending();
}

/** "status delivered": the next constituent is a value of the column. */
function isValueOf(next: Constituent | undefined, { table, column }: ColumnRef): boolean {
  if (next?.kind === "quoted") return true;
  const isOf = (meaning: Meaning) =>
    meaning.kind === "value" &&
    (meaning.column === column || (meaning.roles?.includes(table) && meaning.column.name === column.name));
  return next?.kind === "ref" && next.meanings.some(isOf);
}

function groupByColumn(parse: SemanticParse, ref: ColumnRef, plural: boolean): void {
  const { top, group, which } = parse.pending;
  if (top && !group && !which && parse.subjects.length > 0 && !isNumeric(ref.column)) {
    const name = `${columnLabel(ref.table, ref.column)} of ${tableLabel(ref.table)}`;
    parse.refusals.push(`${name} is a text, so nothing can be ranked by it. Store it as a number first.`);
  }
  const { count } = parse.pending;
  addColumn(parse, ref);
  if (top) completeRanking(parse, plural);
  parse.pending = { ...nothingPending(), top: top && !group, count: count && group };
}
