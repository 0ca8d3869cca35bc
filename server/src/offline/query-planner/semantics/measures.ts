import type { SemanticTable } from "#analytics";
import { nonEmptyFields } from "#base";
import { type AggregateFunction, percentOf } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import {
  isAveraged,
  isCalendarPart,
  isCode,
  isIntensive,
  isKey,
  isNumberAsText,
  isNumeric,
  isPlace,
  isTemporal,
  isYear,
  nameWithoutUnit,
} from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Measure } from "../query/semantic-query.ts";
import { addEntity } from "./grouping.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** "average quantity per order": the total of an order, averaged over orders. */
export function averageOfTotals({ draft, model, pending }: SemanticParse, per: SemanticTable): void {
  const measure = draft.measures.at(-1);
  if (measure?.kind !== "aggregate" || measure.fn !== "avg" || defaultAggregate(measure) !== "sum") return;
  if (measure.table === per || !joinsOf(model).path(measure.table, per, new Set())) return;
  draft.measures[draft.measures.length - 1] = { ...measure, fn: "sum" };
  pending.aggregate = "avg";
}

/** "average revenue per order": the last measure is divided by the number of rows. */
export function applyRatio(parse: SemanticParse, per: SemanticTable): void {
  parse.cues.openAverage = false;
  const of = parse.draft.measures.pop();
  if (of) parse.draft.measures.push({ kind: "ratio", of, per });
  parse.pending = nothingPending();
}

/** The aggregate of a column without one: the mean of prices, rates, ages and scores, the sum of everything else. */
function defaultAggregate({ column }: ColumnRef): AggregateFunction {
  const computed = computedOf(column);
  if (computed && computed.kind !== "hundredth")
    return computed.kind === "elapsed" || computed.kind === "age" ? "avg" : "sum";
  if (isIntensive(column) || isAveraged(column)) return "avg";
  if (/total|extended|amount|gross|net|sum/i.test(column.name)) return "sum";
  return /(price|rate|ratio|age|score|percent|temperature|rating|avg|average|margin_pct|duration|days|mass|weight|height|length|width|depth|speed)$/i.test(
    nameWithoutUnit(column),
  )
    ? "avg"
    : "sum";
}

/** Adds a measure over a column, with the aggregate in the question or the default one; texts and keys are counted. */
export function measureColumn(parse: SemanticParse, { table, column }: ColumnRef, at: number): void {
  const { aggregate, count, which } = parse.pending;
  if (count && !aggregate && computedOf(column)?.kind === "product")
    parse.refusals.push(
      `${columnLabel(table, column)} is a number and nothing to count. Say “total”, or name the rows, as in “how many ${tableLabel(table)}”.`,
    );
  const counted = count ? countedAs(parse, { table, column }) : undefined;
  const named = aggregate ?? consumeExtreme(parse, table, at) ?? counted ?? aggregateBefore(parse, at);
  const fn = named ?? defaultAggregate({ table, column });
  const numeric = isNumeric(column) && !isKey(table, column);
  const known = numeric || fn === "min" || fn === "max" ? fn : "distinct";
  refuseArithmetic(parse, { table, column }, known === "distinct" ? aggregate : fn);
  for (const other of parse.otherAggregates.splice(0)) {
    refuseArithmetic(parse, { table, column }, other);
    parse.draft.measures.push({ kind: "aggregate", fn: other, table, column });
  }
  const assumed = named === undefined && known === fn;
  parse.draft.measures.push({ kind: "aggregate", fn: known, table, column, ...nonEmptyFields({ assumed }) });
  parse.pending = { ...nothingPending(), aggregate: aggregate === "avg" && !numeric ? aggregate : undefined, which };
}

/** "how many cyclists", where each row has a number of them, asks for their total; of other numbers the values are counted. */
function countedAs({ pending, warnings }: SemanticParse, { table, column }: ColumnRef): "sum" | "distinct" {
  const isAmount = isNumeric(column) && !isKey(table, column) && !computedOf(column);
  if (pending.aggregate || !isAmount) return "distinct";
  const isAdded = defaultAggregate({ table, column }) === "sum";
  const isOther = isCode(column) || isYear(column) || isCalendarPart(column) || isPlace(column);
  if (isOther) return "distinct";
  const name = columnLabel(table, column);
  warnings.push(
    isAdded
      ? `“how many ${name}” is read as their total; say “how many different ${name}” to count values.`
      : `Different values of ${name} are counted; say “average ${name}” for their mean.`,
  );
  return isAdded ? "sum" : "distinct";
}

/** How a combination is told. */
const COMBINED = { "/": "divided by", "%": "in percent of", "-": "minus", "+": "plus" };

/** "revenue per passenger", "revenue minus cost": the last number with this one, both added up (CA-94). */
export function combineNumbers(parse: SemanticParse, ref: ColumnRef): boolean {
  const { draft, pending, cues, warnings } = parse;
  const { combines } = cues;
  const before = draft.measures.at(-1);
  if (!pending.group || !combines || before?.kind !== "aggregate" || before.column === ref.column) return false;
  if (before.fn !== "sum" && !(before.fn === "avg" && combines === "/") && !before.assumed) return false;
  if (!isNumeric(ref.column) || isKey(ref.table, ref.column)) return false;
  const sumOf = ({ table, column }: ColumnRef): Measure => ({ kind: "aggregate", fn: "sum", table, column });
  for (const one of [before, ref]) refuseArithmetic(parse, one, "sum");
  const combination: Measure = { kind: "combined", by: combines, left: sumOf(before), right: sumOf(ref) };
  draft.measures[draft.measures.length - 1] = combination;
  const [one, other] = [before, ref].map(({ table, column }) => `total ${columnLabel(table, column)}`);
  warnings.push(`This is ${one} ${COMBINED[combines]} ${other}, and no mean of single rows.`);
  parse.pending = { ...nothingPending(), top: pending.top };
  cues.combines = undefined;
  cues.openAverage = false;
  return true;
}

/** "average price and weight": the mean of both. */
function aggregateBefore({ draft, constituents }: SemanticParse, at: number): AggregateFunction | undefined {
  const before = draft.measures.at(-1);
  const joined = constituents[at - 1]?.kind === "follow-up" && constituents[at - 2]?.kind === "ref";
  if (!joined || before?.kind !== "aggregate" || before.assumed || before.fn === "distinct") return undefined;
  return before.fn;
}

const ADDING: ReadonlySet<AggregateFunction | undefined> = new Set(["sum", "avg", "median"]);

/** What the least and the largest are called. */
const FIRST: Partial<Record<AggregateFunction, string>> = { min: "lowest", max: "highest" };

/** Texts, keys and years are not added up or averaged, even where that is asked. */
function refuseArithmetic(
  { refusals }: SemanticParse,
  { table, column }: ColumnRef,
  fn: AggregateFunction | undefined,
): void {
  if (fn === undefined || fn === "distinct") return;
  const name = `${columnLabel(table, column)} of ${tableLabel(table)}`;
  const [example] = column.values ?? [];
  const shown = example === undefined ? "" : `, such as “${example}”`;
  if (!ADDING.has(fn) && percentOf(fn) === undefined) {
    if (isNumberAsText(column))
      refusals.push(
        `${name} is a text${shown}, so the ${FIRST[fn] ?? fn} is that of letters. Store it as a number first.`,
      );
  } else if (isKey(table, column) || isCode(column))
    refusals.push(`${name} only identifies rows; adding it up says nothing.`);
  else if (isPlace(column) && fn === "sum")
    refusals.push(`${name} is a place on the map; adding places up says nothing.`);
  else if (isIntensive(column) && fn === "sum") refusals.push(`${name} cannot be added up; ask for its average.`);
  else if (isCalendarPart(column)) refusals.push(`${name} is a part of the calendar; adding it up says nothing.`);
  else if (isYear(column)) refusals.push(`${name} is a year; adding years up says nothing.`);
  else if (!isNumeric(column) && !isTemporal(column))
    refusals.push(`${name} is a text${shown}, so it cannot be added up or averaged. Store it as a number first.`);
}

/** "lowest balance by segment" is a minimum; "which customer has the lowest balance", "carrier with the lowest cost" are rankings. */
function consumeExtreme(parse: SemanticParse, table: SemanticTable, at: number): "min" | "max" | undefined {
  const { draft, pending } = parse;
  const { top, dimensions } = draft;
  if (!pending.top || !top || top.count !== undefined || pending.which || dimensions.length > 0) return undefined;
  const ranked = rankedBeside(parse, table, at);
  if (ranked) {
    addEntity(parse, ranked);
    return undefined;
  }
  delete draft.top;
  return top.direction === "most" ? "max" : "min";
}

/** "carrier with the lowest cost", "lowest cost carrier": another table directly before the ranking or behind its number. */
function rankedBeside(
  { constituents, model }: SemanticParse,
  own: SemanticTable,
  at: number,
): SemanticTable | undefined {
  const before = constituents[at - 1]?.kind === "top" ? constituents[at - 2] : undefined;
  const behind = constituents[at + 1];
  for (const one of [before, behind]) {
    if (one?.kind !== "ref" || one.of || one.guessed !== undefined) continue;
    const [meaning, other] = one.meanings.filter(({ kind }) => kind === "table");
    if (!meaning || other || meaning.table === own) continue;
    if (joinsOf(model).path(own, meaning.table, new Set())) return meaning.table;
  }
  return undefined;
}
