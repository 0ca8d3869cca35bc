import { type SemanticColumn, type SemanticTable, stem } from "#analytics";
import { isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, displayColumn, isAboutPeople, tableLabel, timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import { addColumn, addEntity, completeRanking, isGroupedBy } from "./grouping.ts";
import { applyRatio, averageOfTotals } from "./measures.ts";
import { keyOf } from "./related-rows.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** "how many orders" and "orders over time" count rows, "by customer" is a dimension, "customers" alone a list. */
export function applyTable(parse: SemanticParse, table: SemanticTable, plural: boolean, at: number): void {
  const { draft, pending, cues, subjects } = parse;
  if (choosesWithout(parse, table, at)) return;
  if (!subjects.includes(table)) subjects.push(table);
  if (pending.group && cues.per) averageOfTotals(parse, table);
  if (pending.group && cues.per && isAverageOf(parse, table)) cues.averagedPer = true;
  if (pending.aggregate === "avg" && pending.group && draft.measures.length > 0) applyRatio(parse, table);
  else if (parse.moment) applyMoment(parse, table, parse.moment, at);
  else if (isCounted(parse, at)) {
    countsOfEach(parse, table);
    countRows(parse, table);
  } else if (ranksSubject(parse, table, at)) rankSubjectBy(parse, table, at);
  else if (pending.group && countsForRanking(parse, table)) rankByRowsOf(parse, table);
  else if (pending.group && qualifiesNext(parse, table, at)) return;
  else if (isGroup(parse, table, at)) groupByRows(parse, table, plural);
  else if (pending.top) draft.measures.push({ kind: "rows", table });
}

/** "students without absences by house", "meters without a tariff": rows that nothing belongs to, or that belong to nothing. */
function choosesWithout(
  { pending, cues, subjects, draft, model, constituents }: SemanticParse,
  table: SemanticTable,
  at: number,
) {
  const [subject] = subjects;
  const isNegated = pending.negated && cues.openNegation && constituents[at - 1]?.kind === "not";
  // "not visited in 2026": the time would be that of the subject.
  const isTimed = constituents.slice(at).some(({ kind }) => kind === "period");
  if (!isNegated || isTimed || !subject || subject === table) return false;
  const joins = joinsOf(model);
  const [step, another] = joins.path(subject, table, new Set())?.steps ?? [];
  const [reference, more] = step?.columns ?? [];
  const column = reference && subject.columns.find(({ name }) => name === reference[0]);
  const key = joins.path(table, subject, new Set()) && keyOf(subject);
  if (column && !another && !more) draft.filters.push({ kind: "empty", table: subject, column });
  else if (key)
    draft.filters.push({
      kind: "related",
      table: subject,
      column: key,
      occurrence: { negated: true, fact: table, filters: [] },
    });
  else return false;
  pending.negated = false;
  cues.openNegation = false;
  return true;
}

function isAverageOf({ draft }: SemanticParse, table: SemanticTable): boolean {
  const measure = draft.measures.at(-1);
  return measure?.kind === "aggregate" && measure.fn === "avg" && measure.table === table;
}

/** "when was the first order": the minimum of the table's first time column; "the oldest player" is the player with it. */
function applyMoment(parse: SemanticParse, table: SemanticTable, fn: "min" | "max", at: number): void {
  const column = momentColumn(parse, table);
  if (!column)
    parse.refusals.push(`${tableLabel(table)} have no date, so nothing says which is the first or the last.`);
  // "salary of the oldest employee" ranks by the birth.
  if (column) parse.draft.measures.unshift({ kind: "aggregate", fn, table, column });
  if (column && parse.cues.namesMoment && isOfEach(parse, at)) {
    parse.warnings.push(
      `The time of the ${fn === "min" ? "first" : "last"} of ${tableLabel(table)} is told for each, by ${columnLabel(table, column)}.`,
    );
  } else if (column && parse.cues.namesMoment && (table.schema.primaryKey || displayColumn(table))) {
    addEntity(parse, table);
    parse.draft.top = { count: parse.draft.top?.count, direction: fn === "min" ? "least" : "most" };
  }
  parse.moment = undefined;
  parse.pending = nothingPending();
}

/** "last inspection of each permit", "first permit filed by each applicant": one for each of them, and not the first of all. */
function isOfEach({ constituents }: SemanticParse, at: number): boolean {
  return constituents.slice(at + 1, at + 4).some((one, offset, next) => {
    const behind = constituents[at + 2 + offset];
    const isBefore = next.slice(0, offset).every((other) => other.kind === "ref");
    return one.kind === "group" && isBefore && behind?.kind === "ref" && behind.meanings.some(isOfThing);
  });
}

function isOfThing(meaning: Meaning): boolean {
  return meaning.kind === "table" || (meaning.kind === "column" && !isNumeric(meaning.column));
}

/** The oldest person has the first date of birth; of other things the first of several times is told. */
export function momentColumn({ cues, warnings }: SemanticParse, table: SemanticTable): SemanticColumn | undefined {
  const times = timeColumns(table);
  const born = cues.namesMoment ? times.find(({ name }) => /birth|born|dob$/i.test(name)) : undefined;
  const [first] = times;
  const meant = born ?? first;
  const others = times.filter((one) => one !== meant).map((one) => columnLabel(table, one));
  // "oldest appointment" may be of its own time, and not of the birth of who comes.
  if (meant && others.length > 0 && cues.namesMoment && !(born && isAboutPeople(table)))
    warnings.push(
      `The ${columnLabel(table, meant)} was compared; ${tableLabel(table)} also have ${others.join(", ")}.`,
    );
  return meant;
}

function isCounted({ draft, constituents, pending: { count, aggregate, group } }: SemanticParse, at: number): boolean {
  const isShared = draft.share && draft.measures.length === 0 && !group;
  const next = constituents[at + 1];
  // "average orders per customer"
  if (aggregate === "avg" && draft.measures.length === 0 && next?.kind === "group" && next.word === "per") return true;
  return count || isShared || aggregate === "distinct" || aggregate === "sum";
}

/** "ports by number of shipments": the number of each port, and not of all. */
function countsOfEach(parse: SemanticParse, table: SemanticTable): void {
  const { pending, cues, draft, subjects, model } = parse;
  const [subject, own, other] = subjects;
  const isPlain = draft.measures.length === 0 && draft.dimensions.length === 0 && !draft.top;
  if (!pending.group || cues.per || !pending.count || !isPlain || !subject || own !== table || other) return;
  if (joinsOf(model).path(table, subject, new Set())) addEntity(parse, subject);
}

function countRows(parse: SemanticParse, table: SemanticTable): void {
  const { aggregate } = parse.pending;
  const own = ownColumn(table);
  if (own && aggregate === "distinct") {
    parse.draft.measures.push({ kind: "aggregate", fn: "distinct", table, column: own });
    parse.pending = nothingPending();
    return;
  }
  if (own)
    parse.warnings.push(
      `Rows of the table ${tableLabel(table)} are counted; say “how many different ${tableLabel(table)}” to count values of ${columnLabel(table, own)}.`,
    );
  if (aggregate === "sum") warnOfAmounts(parse, table);
  parse.draft.measures.push({ kind: "rows", table });
  parse.pending = { ...nothingPending(), aggregate: aggregate === "avg" ? aggregate : undefined };
  if (aggregate === "avg") parse.cues.openAverage = true;
  if (aggregate === "distinct") parse.cues.distinct = true;
}

/** "total payments" may be their number or their amount (CA-90). */
function warnOfAmounts({ warnings }: SemanticParse, table: SemanticTable): void {
  const amount = table.columns.find(
    (column) => isNumeric(column) && /\b(amount|value|total|paid)\b/.test(columnLabel(table, column)),
  );
  if (!amount) return;
  const name = columnLabel(table, amount);
  warnings.push(`Rows of ${tableLabel(table)} were counted; say “total ${name}” to add up their ${name}.`);
}

/** "top 5 players by goals": what is ranked is one of many rows' owners, and the rows are counted. */
function countsForRanking({ draft, model }: SemanticParse, table: SemanticTable): boolean {
  const [ranked, other] = draft.dimensions;
  if (!draft.top || draft.measures.length > 0 || ranked?.kind !== "entity" || other || ranked.table === table)
    return false;
  return joinsOf(model).path(table, ranked.table, new Set()) !== undefined;
}

function rankByRowsOf(parse: SemanticParse, table: SemanticTable): void {
  parse.draft.measures.push({ kind: "rows", table });
  parse.pending = nothingPending();
}

/** "by supplier nation": the table only qualifies the next constituent. */
function qualifiesNext({ constituents }: SemanticParse, table: SemanticTable, at: number): boolean {
  const next = constituents[at + 1];
  return (
    next?.kind === "ref" &&
    !next.of &&
    next.meanings.some((meaning) => meaning.kind === "table" && meaning.table !== table)
  );
}

function isGroup(parse: SemanticParse, table: SemanticTable, at: number): boolean {
  const { group, which, top } = parse.pending;
  // "what is the total price of Tea orders": the question is for the number.
  const asksNumber = which && parse.draft.measures.length > 0 && !parse.draft.top && !parse.cues.person;
  return group || (which && !asksNumber) || (top && !isMeasuredBy(parse, table, at));
}

/** "which customer has the most orders": the table after the ranking is counted when there is a dimension already. */
function isMeasuredBy({ draft, constituents }: SemanticParse, table: SemanticTable, at: number): boolean {
  return draft.dimensions.length > 0 && !isGroupedBy(draft, table) && constituents[at + 1]?.kind !== "group";
}

/** "customer with the most orders": the table before the ranking is ranked, the one after it is counted. */
function ranksSubject({ beforeLast, constituents, draft, pending }: SemanticParse, table: SemanticTable, at: number) {
  if (!pending.top || constituents[at - 1]?.kind !== "top" || constituents[at - 2]?.kind !== "ref") return false;
  return beforeLast?.kind === "table" && beforeLast.table !== table && draft.dimensions.length === 0;
}

function rankSubjectBy(parse: SemanticParse, table: SemanticTable, at: number): void {
  const subject = parse.constituents[at - 2];
  if (parse.beforeLast) addEntity(parse, parse.beforeLast.table);
  completeRanking(parse, subject?.kind === "ref" && subject.plural);
  parse.draft.measures.push({ kind: "rows", table });
  parse.pending = nothingPending();
}

/** The column of a table's own name: job of jobs. */
function ownColumn(table: SemanticTable): SemanticColumn | undefined {
  if (table.schema.primaryKey) return undefined;
  return table.columns.find((column) => stem(columnLabel(table, column)) === stem(tableLabel(table)));
}

function groupByRows(parse: SemanticParse, table: SemanticTable, plural: boolean): void {
  const { draft, cues } = parse;
  const { group, which, top } = parse.pending;
  const own = ownColumn(table);
  if (own) addColumn(parse, { table, column: own });
  else if (table.schema.primaryKey || displayColumn(table)) addEntity(parse, table);
  else {
    parse.refusals.push(`Nothing tells rows of ${tableLabel(table)} apart or names them. Name a column to group by.`);
    return;
  }
  if (top) completeRanking(parse, plural);
  // “what was the cost by ward” asks for no single ward.
  if (which && !group && !plural && !draft.top) cues.singular = true;
  cues.several ||= which && plural;
  parse.pending = { ...nothingPending(), top: top && !group };
}
