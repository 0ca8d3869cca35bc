import type { SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { nameWithoutUnit } from "../lexicon/meaning.ts";
import { columnLabel, displayColumn, tableLabel, timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { JoinStep } from "../query/join-step.ts";
import type { Existence, Measure, SemanticQuery } from "../query/semantic-query.ts";
import { add, type Grain, isoDay, type Period, startOf } from "../time/period.ts";

/** Warns about a named table without a join to the query: "balance of suppliers" where only customers have a balance. */
export function unreachedTables(
  subjects: readonly SemanticTable[],
  base: SemanticTable,
  read: ReadonlySet<SemanticTable>,
  model: SemanticModel,
): readonly string[] {
  const joins = joinsOf(model);
  const left = subjects.filter((table) => {
    const steps = joins.path(base, table, new Set())?.steps.length;
    return !read.has(table) && (steps === undefined || steps > 1);
  });
  return left.map((table) => `I found no part for ${tableLabel(table)} and left it out.`);
}

/** Warns where related rows that nobody named are bounded one by one: "customers with amount over 100" may be meant of the amount of each customer. */
export function boundsOfSingleRows(
  { subject, occurrences }: Existence,
  subjects: readonly SemanticTable[],
): readonly string[] {
  return occurrences.flatMap(({ fact, filters }) =>
    filters.flatMap((filter) => {
      const isBound = filter.kind === "compare" || filter.kind === "between";
      if (!isBound || subjects.includes(filter.table) || subjects.includes(fact) || computedOf(filter.column))
        return [];
      const name = columnLabel(filter.table, filter.column);
      const bound =
        filter.kind === "compare" ? `${filter.comparison} ${filter.value}` : `between ${filter.low} and ${filter.high}`;
      return [
        `“${bound}” is of the ${name} of single rows of ${tableLabel(filter.table)}, and not of the total of each of ${tableLabel(subject)}; say “${tableLabel(subject)} with a total ${name} …” for that.`,
      ];
    }),
  );
}

/** Warns about joins that were found by names and values, and that nobody declared. */
export function undeclaredJoins(steps: readonly JoinStep[]): readonly string[] {
  return steps
    .filter(({ proposed }) => proposed)
    .map(({ from, to, columns }) => {
      const names = columns.map(([mine]) => mine).join(" and ");
      return `${tableLabel(from)} and ${tableLabel(to)} are joined by ${names}, which fits by name and values and is declared by nobody.`;
    });
}

/** Columns whose sum is what anybody means, by their names, and columns that only have a mean. */
const ADDED =
  /(amount|revenue|sales?|turnover|gross|net|cost|total|quantity|qty|units?|count|number|spend|spent|budget|paid|payments?|fees?|tax|vat|discount|profit|value|volume|votes?|deaths?|receipts|disbursements|people|population|generation|balance|stock|hours|minutes|pieces|items|clicks|views|visits|freight|weight|miles|debts?|loans?|cash|goals|points|income|expenses?|duty|refunds?|bal|extended ?price|supply ?cost)/i;
const AVERAGED =
  /(price|rate|ratio|age|percent|pct|percentage|temperature|temp|avg|average|rating|mass|height|length|width|depth|speed)$/i;

const FNS: Partial<Record<string, string>> = { avg: "mean", median: "median", min: "lowest", max: "highest" };

/** Warns where the question names no aggregate, and neither does the name of the column. */
export function assumedAggregates({ measures, dimensions, top }: SemanticQuery): readonly string[] {
  return measures.flatMap((measure) => {
    if (measure.kind === "aggregate" && measure.fn !== "sum" && computedOf(measure.column)?.kind === "product")
      return [
        `The ${FNS[measure.fn] ?? "number"} is of single rows of ${tableLabel(measure.table)}, and not of totals of something else.`,
      ];
    if (measure.kind !== "aggregate" || !measure.assumed) return [];
    // Grouped by rows of the same table, each group is one row.
    if (dimensions.some((one) => one.kind === "entity" && one.table === measure.table)) return [];
    const name = columnLabel(measure.table, measure.column);
    const plain = nameWithoutUnit(measure.column);
    if (measure.fn === "sum" && !ADDED.test(plain))
      return [`${name} is added up; say “average ${name}” or “highest ${name}” for another number.`];
    // "the highest rate" may be that of one row.
    if (measure.fn === "avg" && (top !== undefined || !AVERAGED.test(plain)))
      return [`${name} is averaged; say “highest ${name}” or “total ${name}” for another number.`];
    return [];
  });
}

/** What rows have at a time, and the times of which each is one. */
const STATE = /\b(balance|stock|inventory|on hand|headcount|backlog|outstanding)\b/;
const TAKEN =
  /\b(snapshot|as of|date|day|month|week|period|read|recorded|measured|taken|reported|observed|time|timestamp)\b/;

/** Warns where a balance or a stock is added up whose rows may be of several times: the same one would count once for each. */
export function sumsOfStates({ measures }: SemanticQuery): readonly string[] {
  return measures.flatMap((measure) => {
    if (measure.kind !== "aggregate" || measure.fn !== "sum") return [];
    const name = columnLabel(measure.table, measure.column);
    const time = timeColumns(measure.table).find((column) => TAKEN.test(columnLabel(measure.table, column)));
    if (!time || !STATE.test(name)) return [];
    return [
      `${name} is added up over all rows of ${tableLabel(measure.table)}; where the same one is there at several times (${columnLabel(measure.table, time)}), it counts once for each. Say “average ${name}”, or name one day.`,
    ];
  });
}

/** Warns where rows of a table are counted that have few names: "how many species" of a table of sightings. */
export function repeatedNames({ measures }: SemanticQuery): readonly string[] {
  return measures.flatMap((measure) => {
    if (measure.kind !== "rows" || measure.table.schema.primaryKey) return [];
    const named = displayColumn(measure.table);
    const [rows, names] = [measure.table.schema.rowCount, named?.values?.length];
    if (!named || names === undefined || rows === undefined || rows <= names) return [];
    return [`Rows of ${tableLabel(measure.table)} were counted; ${named.name} has ${names} different values.`];
  });
}

/** Warns about groups without rows: "customers with fewer than 3 orders" omits customers without any. */
export function groupsWithoutRows({ having, dimensions, filters, period }: SemanticQuery): readonly string[] {
  const chosen = filters.length > 0 || period !== undefined;
  const values = dimensions.flatMap((one) => (one.kind === "column" && chosen ? [one.column] : []));
  const groups = dimensions.flatMap((one) => (one.kind === "entity" ? [one.table] : []));
  return having.flatMap(({ measure, comparison, value }) => {
    const admitsNone = comparison.startsWith("<") || (comparison === "=" && value === 0);
    const [column] = values;
    if (measure.kind === "rows" && admitsNone && column)
      return [
        `Only a ${column.name} with some such ${tableLabel(measure.table)} is looked at; those without any are not shown.`,
      ];
    if (measure.kind !== "rows" || !admitsNone || groups.length === 0 || groups.includes(measure.table)) return [];
    const [of, what] = [groups.map(tableLabel).join(" and "), tableLabel(measure.table)];
    return [`Only ${of} with some ${what} are looked at; those without any are not counted.`];
  });
}

/**
 * Warns about units of the calendar that the data covers in part, where units are compared: the first and the last one look
 * smaller than they are.
 */
export function partialPeriods(query: SemanticQuery, time: ColumnRef | undefined): readonly string[] {
  const range = time?.column.range;
  const grain = query.dimensions.find((dimension) => dimension.kind === "time")?.grain;
  const compares =
    query.growth !== undefined ||
    query.moving !== undefined ||
    query.otherPeriod !== undefined ||
    query.top !== undefined;
  if (!time || !range) return [];
  const outside = [query.period, query.otherPeriod].flatMap((period) =>
    beyond(period, range, columnLabel(time.table, time.column)),
  );
  if (outside.length > 0) return outside;
  if (!grain || grain === "day") return [];
  const name = columnLabel(time.table, time.column);
  const [first, last] = [startOf(new Date(range.first), grain), startOf(new Date(range.last), grain)];
  const begins = compares && range.first > isoDay(first) && asks(query, isoDay(first), grain, true);
  const ends = range.last < isoDay(add(add(last, 1, grain), -1, "day")) && asks(query, isoDay(last), grain, false);
  return [
    ...(begins ? [`The ${grain} from ${isoDay(first)} is not whole: ${name} begins on ${range.first}.`] : []),
    ...(ends ? [`The ${grain} from ${isoDay(last)} is not whole: ${name} ends on ${range.last}.`] : []),
  ];
}

function beyond(
  period: Period | undefined,
  { first, last }: { readonly first: string; readonly last: string },
  name: string,
) {
  if (period?.from && period.from > last) return [`There is nothing ${period.label}: ${name} ends on ${last}.`];
  if (period?.to && period.to <= first) return [`There is nothing ${period.label}: ${name} begins on ${first}.`];
  return [];
}

/** Whether a unit is in the result; growth also uses the one before. */
function asks({ period, otherPeriod, growth }: SemanticQuery, unit: string, grain: Grain, isFirst: boolean): boolean {
  const periods = [period, otherPeriod].filter((one) => one !== undefined);
  if (periods.length === 0) return true;
  const next = isoDay(add(new Date(unit), growth && isFirst ? 2 : 1, grain));
  return periods.some(({ from = "", to = "9999" }) => from < next && to > unit);
}

/** Warns where rows are split by a column of a table that they belong to, and have one that ends in the same words: city, beside destination city. */
export function otherColumns({ dimensions }: SemanticQuery, base: SemanticTable): readonly string[] {
  return dimensions.flatMap((one) => {
    if (one.kind !== "column" || one.table === base) return [];
    const name = columnLabel(one.table, one.column);
    const others = base.columns
      .map((column) => columnLabel(base, column))
      .filter((own) => own.endsWith(` ${name}`) && !tableLabel(one.table).startsWith(own.slice(0, -name.length - 1)));
    if (others.length === 0) return [];
    return [`“${name}” is that of ${tableLabel(one.table)}; ${tableLabel(base)} also have ${others.join(", ")}.`];
  });
}

const TOTAL = /^(grand )?(totals?|sum|gesamt|summe|gesamtsumme|total general|insgesamt)$/i;

/** Warns where a table has a row of sums, as sheets have at their end: its numbers count twice, and it is counted. */
export function rowsOfSums({ measures, filters }: SemanticQuery): readonly string[] {
  const tables = new Set(measures.map(tableOf));
  return [...tables].flatMap((table) =>
    table.columns.flatMap((column) => {
      const total = column.values?.find((value) => TOTAL.test(value.trim()));
      if (total === undefined || filters.some((filter) => filter.column === column)) return [];
      const name = columnLabel(table, column);
      return [
        `Where ${name} is ${total} may be a sum of other rows, which counts twice here; say “without ${total}” to leave it out.`,
      ];
    }),
  );
}

/** Warns about rows in a state whose time is not told apart: "cancelled orders by month" are those that were placed in the month. */
export function timesOfStates(query: SemanticQuery, time: ColumnRef | undefined): readonly string[] {
  const isTimed =
    query.period !== undefined ||
    query.days !== undefined ||
    query.dimensions.some(({ kind }) => kind === "time" || kind === "part");
  if (!time || !isTimed || query.timeColumn) return [];
  const states = query.filters.flatMap((filter) =>
    filter.kind === "values" && filter.table === time.table && !filter.negated ? filter.values : [],
  );
  const [state] = states.filter((value) => /^\p{L}+ed$/iu.test(value));
  const others = timeColumns(time.table).filter((column) => column !== time.column);
  if (state === undefined || others.length === 0) return [];
  const name = (column: ColumnRef["column"]) => columnLabel(time.table, column);
  return [
    `Times are those of ${name(time.column)}, and need not be when rows became ${state.toLowerCase()}; ${tableLabel(time.table)} also have ${others.map(name).join(", ")}.`,
  ];
}

/** Warns where rows are counted that only meet what they are split or chosen by in a table that nobody named: "matches by team" by way of goals. */
export function countedByWay(
  { measures, through, having, existence }: SemanticQuery,
  base: SemanticTable,
  subjects: readonly SemanticTable[],
): readonly string[] {
  if (existence || through === base || subjects.includes(base)) return [];
  const all = [...measures, ...having.map(({ measure }) => measure)];
  if (all.some((measure) => measure.kind !== "rows" || measure.table === base)) return [];
  return [...new Set(all.map((measure) => tableLabel(tableOf(measure))))].map(
    (rows) => `Only ${rows} with some ${tableLabel(base)} are counted.`,
  );
}

function tableOf(measure: Measure): SemanticTable {
  if (measure.kind === "combined") return tableOf(measure.left);
  return measure.kind === "ratio" ? tableOf(measure.of) : measure.table;
}
