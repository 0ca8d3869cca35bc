import type { Constituent } from "../constituents/constituent.ts";
import { assumptionOf, computedOf } from "../lexicon/computed.ts";
import { type ChosenMeaning, disambiguate } from "../lexicon/disambiguate.ts";
import { isKey, isNumberAsText, isNumeric, isTemporal, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { roleOf, valuesOfRole } from "../lexicon/roles.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Measure } from "../query/semantic-query.ts";
import { applyColumn } from "./apply-column.ts";
import { applyTable } from "./apply-table.ts";
import { applyUnknown } from "./apply-unknown.ts";
import { applyValue } from "./apply-value.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** Resolves a reference to the data to one meaning, and adds that to the draft. */
export function applyReference(
  parse: SemanticParse,
  constituent: Extract<Constituent, { kind: "ref" }>,
  at: number,
): void {
  const chosen = choose(parse, constituent, at);
  if (!chosen) return;
  if (constituent.part && !isNear(parse, chosen.meaning)) {
    applyUnknown(parse, constituent.text, at);
    return;
  }
  if (constituent.guessed) parse.warnings.push(`“${constituent.text}” is read as “${constituent.guessed}”.`);
  if (constituent.part && chosen.meaning.kind === "column")
    parse.warnings.push(
      `“${constituent.text}” is read as ${columnLabel(chosen.meaning.table, chosen.meaning.column)} of ${tableLabel(chosen.meaning.table)}.`,
    );
  if (chosen.warning) parse.warnings.push(chosen.warning);
  if (refuseOfOthers(parse, chosen.meaning, at)) return;
  const assumption = "column" in chosen.meaning ? assumptionOf(chosen.meaning.column) : undefined;
  if (assumption !== undefined) parse.warnings.push(`“${constituent.text}” is read as ${assumption}.`);
  if (parse.pending.negated) parse.warnings.push(...timeBesideState(chosen.meaning, constituent.meanings));
  parse.beforeLast = parse.last;
  parse.last = chosen.meaning;
  applyMeaning(parse, chosen.meaning, constituent, at);
}

/** "age of orders", where customers have one, "shipped late", where deliveries are due: what is computed is of the rows and events that it follows from. */
function refuseOfOthers({ constituents, refusals, model }: SemanticParse, meaning: Meaning, at: number): boolean {
  const computed = meaning.kind === "column" || meaning.kind === "value" ? computedOf(meaning.column) : undefined;
  if (!computed || (meaning.kind !== "column" && meaning.kind !== "value")) return false;
  const [before, next] = [constituents[at - 1], constituents[at + 1]];
  const label = columnLabel(meaning.table, meaning.column);
  const name = computed.kind === "late" || computed.kind === "overdue" ? `what is ${label}` : `the ${label}`;
  const tables = next?.kind === "ref" ? next.meanings.filter(({ kind }) => kind === "table") : [];
  if (
    tables.length > 0 &&
    computed.kind !== "product" &&
    !tables.some(({ table }) => joinsOf(model).path(meaning.table, table, new Set()))
  ) {
    const others = tables.map(({ table }) => tableLabel(table)).join(" or ");
    refusals.push(`I know ${name} of ${tableLabel(meaning.table)}, and not of ${others}.`);
    return true;
  }
  if (computed.kind === "product" && before?.kind === "compare" && isSales(constituents[at])) {
    refusals.push(
      `I do not know whether sales are counted or added up. Say “revenue”, or name the rows, as in “${tableLabel(meaning.table)}”.`,
    );
    return true;
  }
  if (computed.kind !== "late" || before?.kind !== "ref" || before.meanings.some(({ kind }) => kind === "table"))
    return false;
  const times = before.meanings.flatMap((one) => (one.kind === "column" && isTemporal(one.column) ? [one.column] : []));
  if (times.length === 0 || times.includes(computed.done.column)) return false;
  const [done, due] = [computed.done, computed.due].map((ref) => columnLabel(ref.table, ref.column));
  refusals.push(`I know what is late of ${done}, which ${due} is the limit of, and not of “${before.text}”.`);
  return true;
}

/** "fewer than 10 sales" may be a number of them. */
function isSales(constituent: Constituent | undefined): boolean {
  return constituent?.kind === "ref" && /^sales?$/i.test(constituent.text);
}

/** "not delivered" is a state of rows, and some in another state may have the time all the same. */
function timeBesideState(chosen: Meaning, all: readonly Meaning[]): readonly string[] {
  if (chosen.kind !== "value") return [];
  return all.flatMap((one) =>
    one.kind === "column" && one.table === chosen.table && isTemporal(one.column)
      ? [
          `“${chosen.value}” is read as the ${columnLabel(chosen.table, chosen.column)}; say “missing ${columnLabel(one.table, one.column)}” for those without that time.`,
        ]
      : [],
  );
}

/** A part of a name means a column of the rows that the question names, or of rows that they belong to, or that belong to them. */
function isNear({ mentioned, model }: SemanticParse, { table }: Meaning): boolean {
  const joins = joinsOf(model);
  const named = model.tables.filter((one) => mentioned.includes(tableLabel(one)));
  return named.every((one) => one === table || joins.path(one, table, new Set()) || joins.path(table, one, new Set()));
}

function choose(
  parse: SemanticParse,
  { text, meanings: all }: Extract<Constituent, { kind: "ref" }>,
  at: number,
): ChosenMeaning | undefined {
  const { last, mentioned, model, pending } = parse;
  const next = parse.constituents[at + 1];
  const own = numberOfOwnName(parse, all, next);
  if (own) return { meaning: own };
  const meanings = ofLastTable(valuesOfRole(stateOrTime(ofRoleOrValue(parse, all, at), next), last), last);
  // "average discount" means the column, even if the author named a measure like it.
  const columns = pending.aggregate ? meanings.filter(isNumberColumn) : [];
  return disambiguate(text, columns.length > 0 ? columns : meanings, mentioned, joinsOf(model));
}

/** "employees without a manager", "salary by manager" are of the reference; "managers" may be a job that they have (CA-103). */
function ofRoleOrValue(
  { pending, cues, constituents }: SemanticParse,
  all: readonly Meaning[],
  at: number,
): readonly Meaning[] {
  const isOfRole = (one: Meaning) => one.kind === "table" && roleOf(one.table) !== undefined;
  const [bound, rows] = constituents.slice(at + 1, at + 3);
  // "managers with more than 3 employees", "manager with the most employees"
  const isCounted = (bound?.kind === "compare" || bound?.kind === "top") && rows?.kind === "ref";
  const countsRows = (one: Meaning) =>
    isCounted &&
    rows.meanings.some(({ kind, table }) => kind === "table" && table === roleOf(one.table)?.reference.from);
  if (!all.some(isOfRole) || !all.some(({ kind }) => kind === "value")) return all;
  const asksRole = pending.group || (pending.negated && cues.openNegation) || all.some(countsRows);
  return all.filter((one) => (asksRole ? one.kind !== "value" : !isOfRole(one)));
}

/** "target by region" of a table targets whose rows have a target: the number is asked for, unless rows are counted or listed. */
function numberOfOwnName(
  { pending, cues, draft }: SemanticParse,
  all: readonly Meaning[],
  next: Constituent | undefined,
): Meaning | undefined {
  const [table, other] = all.filter(({ kind }) => kind === "table");
  if (!table || other || pending.count || pending.group || pending.which || pending.top || cues.listed)
    return undefined;
  const isMeasured = pending.aggregate !== undefined && pending.aggregate !== "distinct";
  const isSplit = next?.kind === "group" || next?.kind === "grain" || next?.kind === "over-time";
  if (!isMeasured && (!isSplit || draft.measures.length > 0)) return undefined;
  return all.find(
    (one) => one.kind === "column" && one.table === table.table && (isNumberColumn(one) || isNumberAsText(one.column)),
  );
}

/** "customers from London in stores in Leeds": a value directly after the name of a table belongs to that table. */
function ofLastTable(meanings: readonly Meaning[], last: Meaning | undefined): readonly Meaning[] {
  if (last?.kind !== "table" || meanings.some(({ kind }) => kind !== "value")) return meanings;
  const own = meanings.filter(({ table }) => table === last.table);
  return own.length > 0 ? own : meanings;
}

/** "delivered in June" is a time, "delivered orders" a state of orders, where the word can mean both. */
function stateOrTime(meanings: readonly Meaning[], next: Constituent | undefined): readonly Meaning[] {
  const states = meanings.filter(({ kind }) => kind === "value");
  const times = meanings.filter((meaning) => meaning.kind === "column" && isTemporal(meaning.column));
  if (states.length === 0 || times.length === 0) return meanings;
  // "ship by rail": the word is a verb.
  if (next?.kind === "group") return times;
  return next?.kind === "period" || next?.kind === "days" || next?.kind === "grain" || next?.kind === "over-time"
    ? times
    : states;
}

function isNumberColumn(meaning: Meaning): boolean {
  return meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column);
}

function applyMeaning(
  parse: SemanticParse,
  meaning: Meaning,
  { text, plural }: Extract<Constituent, { kind: "ref" }>,
  at: number,
): void {
  const { table } = meaning;
  switch (meaning.kind) {
    case "rate":
      applyMeasure(parse, { kind: "rate", table, column: meaning.column, value: meaning.value }, at);
      return;
    case "measure":
      applyMeasure(parse, { kind: "named", table, measure: meaning.measure }, at);
      return;
    case "table":
      applyTable(parse, table, plural, at);
      return;
    case "column":
      applyColumn(parse, { table, column: meaning.column }, plural, at);
      return;
    case "value":
      applyValue(parse, meaning, text);
      return;
  }
}

/** Adds a named measure. */
function applyMeasure(parse: SemanticParse, measure: Measure, at: number): void {
  const { aggregate, top, which } = parse.pending;
  const counted = parse.draft.measures.at(-1);
  // "number of orders with discount": the measure does not choose the orders.
  if (measure.kind === "named" && counted?.kind === "rows" && parse.constituents[at - 1]?.kind === "ref" && !aggregate)
    parse.warnings.push(`No ${tableLabel(counted.table)} were chosen by ${measure.measure.name}; it is told beside.`);
  if (aggregate === "avg" && measure.kind === "named") {
    parse.pending = { ...nothingPending(), aggregate: "avg" };
    parse.cues.openAverage = true;
  } else parse.pending = { ...nothingPending(), top, which };
  parse.draft.measures.push(measure);
}
