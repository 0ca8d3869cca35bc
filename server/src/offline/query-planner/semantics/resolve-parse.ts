import type { SemanticTable } from "#analytics";
import type { AggregateFunction } from "../constituents/constituent.ts";
import { defaultFactTable } from "../existence/fact-table.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { isFlag } from "../lexicon/meaning.ts";
import { columnLabel, isAboutPeople, tableLabel } from "../lexicon/names.ts";
import { dimensionLabel } from "../query/labels.ts";
import type { Measure } from "../query/semantic-query.ts";
import { add, type Grain, isoDay, type Period, startOf } from "../time/period.ts";
import { addColumn, addEntity, addGrain, completeRanking, isGroupedBy } from "./grouping.ts";
import { resolveAverage, resolveBounds } from "./resolve-bounds.ts";
import { rankByFirstMeasure, resolveRanking } from "./resolve-ranking.ts";
import type { Draft, SemanticParse } from "./semantic-parse.ts";

/** Resolves what depends on the whole question. Each step relies on those before it. */
export function resolveParse(parse: SemanticParse): void {
  resolveBounds(parse);
  refuseGroupsWithout(parse);
  resolveOwnRows(parse);
  compareValues(parse);
  resolveMoney(parse);
  resolveSeveral(parse);
  resolvePerson(parse);
  resolveRanking(parse);
  resolveAverage(parse);
  resolveGrowth(parse);
  refuseMovingBeside(parse);
  warnOfDaysWithin(parse);
  resolveEvent(parse);
  resolveShareOfState(parse);
  refuseHalfComparison(parse);
  reportUnresolved(parse);
  resolveTimes(parse);
  rankEachTime(parse);
  resolveSingular(parse);
  countSubject(parse);
}

/** "operators with no cancelled trains": operators are values of the trains, and those of other trains would be all of them. */
function refuseGroupsWithout({ constituents, draft, refusals, warnings }: SemanticParse): void {
  const [state] = draft.filters;
  const at = constituents.findIndex(({ kind }) => kind === "not");
  // "patients who never attended"
  const things = constituents.slice(0, Math.max(0, at)).findLast(({ kind }) => kind !== "which");
  const [value, rows] = constituents.slice(at + 1, at + 3);
  if (at < 1 || state?.kind !== "values" || things?.kind !== "ref" || !things.plural || value?.kind !== "ref") return;
  const own = things.meanings.find((one) => one.kind === "column" && one.table === state.table && !isFlag(one.column));
  const isOfSeveral = own?.kind === "column" && own.column !== state.column && !isOnceEach(own);
  if (isOfSeveral && draft.measures.length === 0) {
    const [names, column] = [columnLabel(own.table, own.column), columnLabel(state.table, state.column)];
    const said = isFlag(state.column) ? column : state.values.join(" or ");
    const instead = isFlag(state.column)
      ? `${column} rate by ${names}`
      : `number of ${tableLabel(state.table)} with ${column} ${said} by ${names}`;
    const why = `A ${names} may have several rows, and those that are not ${said} are of nearly each. Say “${instead}”: those without any have none.`;
    if (isFlag(state.column) || (state.negated && state.never)) {
      refusals.push(why);
      return;
    }
    if (state.negated)
      warnings.push(`Each ${names} with some row that is not ${said} is shown, also where another row is.`);
  }
  // "sites with no faults", where faults are of their counts
  const elsewhere = things.meanings.find((one) => one.kind === "column" && one.table !== state.table);
  if (!own && elsewhere?.kind === "column" && state.negated)
    warnings.push(
      `Each ${columnLabel(elsewhere.table, elsewhere.column)} with some of ${tableLabel(state.table)} that is not ${state.values.join(" or ")} is looked at, also where another is.`,
    );
  const isOfRows =
    rows?.kind === "ref" && rows.meanings.some((one) => one.kind === "table" && one.table === state.table);
  if (own?.kind !== "column" || !isOfRows || draft.measures.some(({ kind }) => kind !== "rows")) return;
  const [names, table] = [columnLabel(own.table, own.column), tableLabel(state.table)];
  refusals.push(
    `I cannot choose each ${names} by ${table} that it has not. Say “number of ${value.text} ${table} by ${names}”: those that are missing have none.`,
  );
}

/** Whether each row has another value of a column. */
function isOnceEach({ table, column }: ColumnRef): boolean {
  return table.schema.rowCount !== undefined && column.values?.length === table.schema.rowCount;
}

/** "average quantity per line by ship mode": a mean is per row anyway, so the table of the rows is no dimension. */
function resolveOwnRows({ draft, cues }: SemanticParse): void {
  const { measures, dimensions } = draft;
  const [measure] = measures;
  if (!cues.averagedPer || measures.length !== 1 || measure?.kind !== "aggregate" || measure.fn !== "avg") return;
  draft.dimensions = dimensions.filter((one) => one.kind !== "entity" || one.table !== measure.table);
}

/** "compare revenue in Leeds and York": the column of the values is a dimension. */
function compareValues(parse: SemanticParse): void {
  if (!parse.cues.versus) return;
  const { days, dimensions, measures, filters } = parse.draft;
  // "Mondays versus Fridays"
  if (
    days &&
    days.length > 1 &&
    !dimensions.some(({ kind }) => kind === "part") &&
    measures.length + filters.length > 0
  )
    dimensions.push({ kind: "part", part: "weekday" });
  for (const filter of parse.draft.filters) {
    if (filter.kind === "values" && filter.values.length > 1 && !filter.negated) addColumn(parse, filter);
  }
}

/** "how much did customers in Dublin spend": an amount of money, not a count. */
function resolveMoney(parse: SemanticParse): void {
  const { draft, cues } = parse;
  if (!cues.money || draft.measures.length === 0 || !draft.measures.every(({ kind }) => kind === "rows")) return;
  draft.measures = [];
  rankByFirstMeasure(parse, "an amount of what");
}

/** "percentage of damaged shipments by carrier": what part of the shipments of each carrier is damaged, not which part of the damaged ones it has. */
function resolveShareOfState({ draft, warnings }: SemanticParse): void {
  const { share, filters, dimensions, measures } = draft;
  const [state, other] = filters;
  if (!share || other || state?.kind !== "values" || state.negated) return;
  if (dimensions.length === 0 && computedOf(state.column)?.kind !== "late") return;
  const { table, column, values } = state;
  const [value, second] = values;
  const isOfRows = measures.every((one) => one.kind === "rows" && (one.table === table || isGrouped(draft, one.table)));
  if (value === undefined || second !== undefined || !isOfRows || measures.length > 1) return;
  if (dimensions.some((one) => one.kind === "column" && one.column === column)) return;
  Object.assign(draft, { share: false, filters: [], measures: [{ kind: "rate", table, column, value }] });
  const [dimension] = dimensions;
  if (!dimension) return;
  warnings.push(
    `Each percentage is of the ${tableLabel(table)} of that ${dimensionLabel(dimension)}; the parts do not add up to 100.`,
  );
}

/** Whether a table that is counted is what rows are grouped by: in "percentage of damaged by carrier" no carriers are counted. */
function isGrouped({ dimensions }: Draft, table: SemanticTable): boolean {
  return dimensions.some((one) => one.kind === "entity" && one.table === table);
}

/** A count without an object counts the first table of the question. */
function countSubject({ draft, pending, subjects, warnings, refusals }: SemanticParse): void {
  if (draft.measures.length > 0) return;
  const [subject] = subjects;
  if (pending.aggregate === "sum" && draft.dimensions.length + draft.filters.length > 0)
    refusals.push("I do not know what to add up. Name a number, or say “how many”.");
  if (!pending.count) return;
  const table = subject ?? onlyTable(draft);
  if (!table) return;
  draft.measures.push({ kind: "rows", table });
  if (!subject) warnings.push(`I counted rows of ${tableLabel(table)}.`);
}

/** The table of all conditions and groups: "how many are open". */
function onlyTable({ filters, dimensions }: Draft): SemanticTable | undefined {
  const grouped = dimensions.flatMap((one) => (one.kind === "column" || one.kind === "entity" ? [one.table] : []));
  const tables = new Set([...filters.map(({ table }) => table), ...grouped]);
  return tables.size === 1 ? [...tables][0] : undefined;
}

/** "which products are best": a ranking of several. */
function resolveSeveral(parse: SemanticParse): void {
  if (parse.cues.several) completeRanking(parse, true);
}

/** "who spent the most": the table of people is the dimension. */
function resolvePerson(parse: SemanticParse): void {
  const { draft, model, cues } = parse;
  const { dimensions, top, measures, having } = draft;
  if (!cues.person || dimensions.some(({ kind }) => kind === "entity") || (!top && measures.length === 0)) return;
  const people = model.tables.find(isAboutPeople);
  if (!people) return;
  addEntity(parse, people);
  // "who is the oldest patient": the first date of all.
  const [measure] = measures;
  const earliest = measure?.kind === "aggregate" && measure.fn === "min";
  if (!top && having.length === 0) draft.top = { count: undefined, direction: earliest ? "least" : "most" };
}

/** "which store sold Tea": the one with the largest measure. */
function resolveSingular({ draft, cues }: SemanticParse): void {
  if (!cues.singular || draft.measures.length === 0 || draft.top || draft.having.length > 0) return;
  draft.top = { count: undefined, direction: "most" };
}

/** "products sold in 2026": the period applies to the sale, and products without a sale do not count. */
function resolveEvent({ draft, model, cues: { event, distinct }, warnings }: SemanticParse): void {
  const [measure] = draft.measures;
  if (measure?.kind !== "rows" || (!event && !distinct)) return;
  const fact = defaultFactTable(measure.table, model);
  if (!fact || (!event && !draft.period && draft.dimensions.length === 0)) return;
  if (draft.timeColumn?.table === measure.table) return;
  if (!isGroupedBy(draft, fact)) draft.through = fact;
  if (draft.through && event && !distinct && !isAboutPeople(measure.table)) {
    warnings.push(`Different ${tableLabel(measure.table)} were counted, not pieces.`);
  }
}

/** "revenue in June", "versus May", "revenue compared to last month": one time is compared with nothing. */
function refuseHalfComparison({ draft, cues, refusals }: SemanticParse): void {
  const { period, otherPeriod, growth, measures, dimensions, top } = draft;
  // "top 2 wards in 2025 and 2026" are those of each; of longer times than a unit of the calendar the best of both may be of one of them.
  const isRanked = top && dimensions.some(({ kind }) => kind === "entity" || kind === "column");
  if (isRanked && period && otherPeriod && !areUnits(period, otherPeriod))
    refusals.push(
      `I rank over one time, and not ${otherPeriod.label} beside ${period.label}. Ask for each of them, or for all of it, as in “from 2025 to 2026”.`,
    );
  if (!cues.versus || !period || otherPeriod || growth || measures.length > 1 || dimensions.length > 0) return;
  refusals.push(`Name both times that you compare, one of them ${period.label}, in one question.`);
}

/** Whether each of two times is one unit of the calendar, the same of both. */
function areUnits(one: Period, other: Period): boolean {
  const grain = commonGrain(one, other);
  return [one, other].every(({ from, to }) => from && to && isoDay(add(new Date(from), 1, grain)) === to);
}

/** Growth has a row for each unit of time, so it is not ranked. */
function resolveGrowth({ draft, warnings, refusals }: SemanticParse): void {
  // The rows of the time before, which growth needs, would be part of the total.
  if (draft.growth && draft.share) refusals.push("I do not compute shares and growth at once; ask for each of them.");
  if (!draft.growth || !draft.top) return;
  if (draft.measures.length === 0)
    refusals.push("I do not know whose growth is meant. Name a number, or say “number of”.");
  delete draft.top;
  warnings.push("I do not rank by growth; all are shown in the order of time.");
}

/** "delivery time excluding weekends": rows are chosen, and the time of each has all of its days. */
function warnOfDaysWithin({ draft, warnings }: SemanticParse): void {
  const isElapsed = draft.measures.some(
    (one) => one.kind === "aggregate" && computedOf(one.column)?.kind === "elapsed",
  );
  if (draft.days && isElapsed)
    warnings.push("Rows are chosen by the day of the week; weekends within a time that passes are part of it.");
}

/** A moving mean has a row for each of its units of time, in their order. */
function refuseMovingBeside({ draft, refusals }: SemanticParse): void {
  const { moving, growth, share, running, top, average, dimensions } = draft;
  if (!moving) return;
  if (growth || share || running || top || average)
    refusals.push("I show a moving average over time, and nothing else of it; ask for each of them.");
  const time = dimensions.find((one) => one.kind === "time");
  if (time && time.grain !== moving.grain)
    refusals.push(
      `A mean over ${moving.count} ${moving.grain}s moves by the ${moving.grain}, and not by the ${time.grain}.`,
    );
}

/** Adds a grain to a question over time that names none. */
function resolveTimes(parse: SemanticParse): void {
  const { draft, cues } = parse;
  if (draft.dimensions.some(({ kind }) => kind === "time")) return;
  const grain = (draft.growth && cues.grownBy) ?? fittingGrain(draft, cues.overTime);
  if (grain) addGrain(parse, grain);
}

/** "top 3 stores each month", "top 2 stores in 2025 and 2026": the first of each time (CA-115). */
function rankEachTime({ draft, constituents }: SemanticParse): void {
  const { top, otherPeriod, dimensions } = draft;
  const isTimed = dimensions.some(({ kind }) => kind === "time");
  const isOfEach = otherPeriod !== undefined || constituents.some(({ kind }) => kind === "grain");
  if (top && isTimed && isOfEach && dimensions.length > 1) draft.top = { ...top, ofEachTime: true };
}

function fittingGrain({ period, otherPeriod, growth, running }: Draft, overTime: boolean): Grain | undefined {
  if (otherPeriod && period) return commonGrain(otherPeriod, period);
  if (growth && period?.grain) return period.grain;
  if (!overTime && !growth && !running) return undefined;
  if (growth === "year") return period?.from && period.to ? commonGrain(period, period) : "year";
  return spansYears(period) ? "year" : "month";
}

/** The largest unit of the calendar that both periods are made of: no row is of both of them, or of a part of its unit. */
function commonGrain(one: Period, other: Period): Grain {
  const grains = ["year", "quarter", "month", "week"] as const;
  return grains.find((grain) => isMadeOf(one, grain) && isMadeOf(other, grain)) ?? "day";
}

function isMadeOf({ from, to, isToDate }: Period, grain: Grain): boolean {
  const begins = (day: string | undefined) => day !== undefined && isoDay(startOf(new Date(day), grain)) === day;
  return begins(from) && (begins(to) || isToDate === true);
}

function spansYears(period: Period | undefined): boolean {
  return period !== undefined && /^from \d{4} to \d{4}$/.test(period.label);
}

/** Reports constituents that have no effect, because a wrong answer would look right without a warning. */
function reportUnresolved(parse: SemanticParse): void {
  const { cues, unknown, warnings, draft } = parse;
  if (cues.openNegation) unknown.push("not");
  if (parse.moment) unknown.push(cues.moment ?? (parse.moment === "min" ? "first" : "last"));
  if (cues.openAverage)
    warnings.push(
      "I do not know per what to average; the total is shown. Say for example “average revenue per order”.",
    );
  if (!cues.openAverage && !draft.average && !parse.averaged && isLost(parse, "avg")) unknown.push("average");
  if (cues.amount && draft.measures.every(({ kind }) => kind === "rows") && !boundsNumber(draft))
    unknown.push(cues.amount);
  for (const [fn, name] of LEFT) if (isLost(parse, fn)) unknown.push(name);
  warnAboutSoldOnce(parse);
  warnAboutShare(parse);
}

/** "orders with a value over 100", where a number is bounded. */
function boundsNumber({ filters, having }: Draft): boolean {
  return (
    filters.some(({ kind }) => kind === "compare" || kind === "between" || kind === "average") || having.length > 0
  );
}

/** Aggregates that are reported when they have no column; a trailing "total" or "different" has no effect. */
const LEFT = [
  ["median", "median"],
  ["min", "minimum"],
  ["max", "maximum"],
] as const;

/** Whether the question asks for an aggregate, and no measure is one. */
function isLost({ constituents, draft }: SemanticParse, fn: AggregateFunction): boolean {
  const isAsked = constituents.some((constituent) => constituent.kind === "aggregate" && constituent.fn === fn);
  const used = [...draft.measures, ...draft.having.map(({ measure }) => measure)];
  return isAsked && !used.some((measure) => isOf(measure, fn));
}

function isOf(measure: Measure, fn: AggregateFunction): boolean {
  if (measure.kind === "ratio") return fn === "avg" || isOf(measure.of, fn);
  if (measure.kind === "combined") return (fn === "avg" && measure.by === "/") || isOf(measure.left, fn);
  return measure.kind === "aggregate" && measure.fn === fn;
}

/** "total cost of goods sold": the column is of the goods, not of each sale. */
function warnAboutSoldOnce({ draft: { measures }, cues, model, warnings }: SemanticParse): void {
  const [measure] = measures;
  if (!cues.event || measure?.kind !== "aggregate" || measure.fn !== "sum") return;
  const { table, column } = measure;
  if (!defaultFactTable(table, model)) return;
  warnings.push(
    `${columnLabel(table, column)} is added up once for each of ${tableLabel(table)}, not for each that was sold.`,
  );
}

function warnAboutShare({ draft: { share, filters, dimensions }, warnings }: SemanticParse): void {
  if (!share || filters.length === 0 || dimensions.length === 0) return;
  const names = [...new Set(filters.map(({ table, column }) => columnLabel(table, column)))].join(" and ");
  warnings.push(`Each share is of the total of what passes the choice of ${names}.`);
}
