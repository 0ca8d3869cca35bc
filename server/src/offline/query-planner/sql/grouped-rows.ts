import { clause, nested } from "./clause.ts";
import { aggregateSql, limitSql } from "./dialect.ts";
import { movingColumn, UNITS, unitNumber, windowOverTime } from "./moving-mean.ts";
import type { Group, Parts, Value } from "./parts.ts";

/** Measures for each group, or over all rows without dimensions, as a statement. */
export function groupedRows(parts: Parts): string {
  const { groups, query, words } = parts;
  const groupFilter = groupFilterOf(parts);
  const chosen = [...unordered(parts), ...(groupFilter && words.qualifies ? [qualifyClause(groupFilter, parts)] : [])];
  if (groups.length === 0) return chosen.join("\n");
  if (groupFilter && !words.qualifies) return filteredAround(chosen, groupFilter, parts);
  const time = groups.find(({ grain }) => grain);
  if ((query.growth || query.moving) && time && query.period?.from)
    return shownFrom(query.period.from, time, chosen, parts);
  return [...chosen, `ORDER BY ${orderOf(parts).join(", ")}`, ...limitOf(parts)].join("\n");
}

function unordered(parts: Parts): readonly string[] {
  const keys = parts.groups.flatMap(({ by }) => by);
  return [
    `SELECT ${columnsOf(parts).join(",\n  ")}`,
    parts.from.text(),
    ...clause("WHERE", [...parts.when, ...parts.where], " AND "),
    ...clause("GROUP BY", keys, ", "),
    ...clause("HAVING", parts.having, " AND "),
  ];
}

function columnsOf(parts: Parts): readonly string[] {
  const { groups, values, model } = parts;
  const [first] = values;
  const named = [...groups, ...values].map(({ text, name }) => `${text} AS ${model.source.quoteName(name)}`);
  return first ? [...named, ...derivedColumns(first, parts)] : named;
}

/** Window functions over the first measure. */
function derivedColumns(first: Value, parts: Parts): readonly string[] {
  const { groups, query } = parts;
  const time = groups.find(({ grain }) => grain);
  return [
    ...(query.share ? [shareColumn(first, parts)] : []),
    ...(query.running && time ? [runningColumn(first, time, parts)] : []),
    ...(query.growth && time ? [growthColumn(first, time, parts)] : []),
    ...(query.moving && time ? [movingColumn(first, time, parts)] : []),
  ];
}

function runningColumn({ name, text }: Value, time: Group, { groups, model }: Parts): string {
  return `sum(${text}) OVER ${windowOverTime(groups, time)} AS ${model.source.quoteName(`running_${name}`)}`;
}

/**
 * Filters groups by a window in engines without QUALIFY: the window is a column of a subquery, and the outer query filters it.
 * `lines`: the statement without ORDER BY and LIMIT, its first line the SELECT clause.
 */
function filteredAround(lines: readonly string[], { window, test }: GroupFilter, parts: Parts): string {
  const { groups, values, model } = parts;
  const quote = model.source.quoteName;
  const [select = "", ...rest] = lines;
  const inner = nested([`${select},\n  ${window} AS ${quote("chosen_by")}`, ...rest]);
  return [
    `SELECT ${[...groups, ...values].map(({ name }) => quote(name)).join(", ")}`,
    `FROM (\n  ${inner}\n) AS ranked`,
    `WHERE ${test(quote("chosen_by"), quote(values[0]?.name ?? ""))}`,
    `ORDER BY ${orderByName(parts).join(", ")}`,
    limitSql(parts.words, MAX_ROWS),
  ].join("\n");
}

/** The partitions of a ranking come first; a filter by the mean has one ranking over all. */
function orderByName(parts: Parts): readonly string[] {
  const {
    groups,
    values: [value],
    query,
    words,
    model,
  } = parts;
  const quoted = (some: readonly Group[]) => some.map(({ name }) => model.source.quoteName(name));
  const first = model.source.quoteName(value?.name ?? "");
  const { within, ranked } = rankedWithin(parts) ?? { within: [], ranked: groups[0] };
  return [
    ...quoted(within),
    query.top?.direction === "least" ? `${first} ASC` : words.descending(first),
    ...quoted(ranked ? [ranked] : []),
  ];
}

/** A window function over the groups, and the condition by which it filters them. */
interface GroupFilter {
  readonly window: string;
  /** The condition over the window and the first measure, as expressions or as column names. */
  readonly test: (window: string, value: string) => string;
}

/** "top 3 products in each category", "stores with above average revenue": groups are filtered by the other groups. */
function groupFilterOf(parts: Parts): GroupFilter | undefined {
  return bestOfEach(parts) ?? bestOfAll(parts) ?? aboveAverage(parts);
}

/** The dimension that is ranked, and those within each of which it is: the others, and time where each has its first. */
function rankedWithin({ query: { top }, groups }: Parts) {
  const [ranked, ...others] = groups.filter(({ grain }) => !grain);
  const within = [...groups.filter(({ grain }) => grain && top?.ofEachTime), ...others];
  const count = top?.count ?? (top?.ofEachTime ? 1 : undefined);
  return ranked && within.length > 0 && count ? { ranked, within, count } : undefined;
}

/** Ranks a dimension within others; undefined where the ranking is over all. */
function bestOfEach(parts: Parts): GroupFilter | undefined {
  const {
    query,
    values: [value],
    words,
  } = parts;
  const found = rankedWithin(parts);
  if (!found || !value) return undefined;
  const { ranked, within, count } = found;
  const order = query.top?.direction === "most" ? words.descending(value.text) : `${value.text} ASC`;
  const by = within.flatMap(({ by: keys }) => keys).join(", ");
  const window = `row_number() OVER (PARTITION BY ${by} ORDER BY ${order}, ${ranked.text})`;
  return { window, test: (place) => `${place} <= ${count}` };
}

/** The first groups over all; those that are equal to the last of them belong to it. */
function bestOfAll({ query, values: [value], words }: Parts): GroupFilter | undefined {
  const { top, average, share, growth, running } = query;
  if (!top || !value || average) return undefined;
  // The outer statement of engines without QUALIFY has no derived columns.
  if (!words.qualifies && (share || growth || running)) return undefined;
  const order = top.direction === "most" ? words.descending(value.text) : `${value.text} ASC`;
  return { window: `rank() OVER (ORDER BY ${order})`, test: (place) => `${place} <= ${top.count ?? 1}` };
}

/** Groups whose first measure is above, or below, the mean of all groups. */
function aboveAverage({ query: { average }, values: [value], words }: Parts): GroupFilter | undefined {
  if (!average || !value) return undefined;
  return {
    window: `${aggregateSql(words, "avg", value.text, "")} OVER ()`,
    test: (mean, own) => `${own} ${average} ${mean}`,
  };
}

/** The filter as a QUALIFY clause, for engines that support it. */
function qualifyClause({ window, test }: GroupFilter, { values: [value] }: Parts): string {
  return `QUALIFY ${test(window, value?.text ?? "")}`;
}

/** The limit of a result without a limit of its own. */
const MAX_ROWS = 1000;

/** By rank, else in the order of time or of the week, else the largest first. */
function orderOf(parts: Parts): readonly string[] {
  const { query, groups, values, words } = parts;
  const [value] = values;
  const texts = groups.map(({ text }) => text);
  if (query.top && value) {
    const { within, ranked } = rankedWithin(parts) ?? { within: [], ranked: groups[0] };
    return [
      ...within.map(({ text }) => text),
      query.top.direction === "most" ? words.descending(value.text) : `${value.text} ASC`,
      ...(ranked ? [ranked.text] : []),
    ];
  }
  const time = groups.find(({ grain }) => grain);
  if (time) return [time.text, ...texts.filter((text) => text !== time.text)];
  const part = groups.find(({ order }) => order !== undefined);
  if (part?.order) return [part.order, ...groups.filter((group) => group !== part).map(({ text }) => text)];
  return value ? [words.descending(value.text), ...texts] : texts;
}

/** The limit of the ranking; a ranking within other groups is filtered already. */
function limitOf(parts: Parts): readonly string[] {
  const { top } = parts.query;
  if (top && !groupFilterOf(parts)) return [limitSql(parts.words, top.count ?? 1)];
  return bestOfEach(parts) ? [] : [limitSql(parts.words, MAX_ROWS)];
}

/**
 * The growth of a measure since the previous unit, or the same unit of the previous year, as a column in percent; NULL where that unit has no rows. It is
 * found by its number, because as many rows back may be another unit.
 */
function growthColumn({ text }: Value, time: Group, { groups, query, words, model }: Parts): string {
  const { step, aYear } = UNITS[time.grain ?? "month"];
  const back = query.growth === "year" ? aYear : 1;
  const number = unitNumber(time, words);
  const before = words.rangesByValue
    ? `max(${text}) OVER ${windowOverTime(groups, time, `${number} RANGE BETWEEN ${back * step} PRECEDING AND ${back * step} PRECEDING`)}`
    : earlierRow(text, number, { rows: back, units: back * step }, windowOverTime(groups, time));
  const growth = words.rounded(`100.0 * (${text} - ${before}) / nullif(${before}, 0)`);
  return `${growth} AS ${model.source.quoteName("growth_percent")}`;
}

/** The value so many rows back, where that row is so many units back: NULL after a unit without rows. */
function earlierRow(
  text: string,
  number: string,
  { rows, units }: { readonly rows: number; readonly units: number },
  window: string,
): string {
  const lag = (value: string) => `lag(${value}, ${rows}) OVER ${window}`;
  return `CASE WHEN ${number} - ${lag(number)} = ${units} THEN ${lag(text)} END`;
}

/** The statement without the units before the period: the window needs them, the result does not show them. */
function shownFrom(first: string, time: Group, lines: readonly string[], { groups, model, words }: Parts): string {
  const quote = model.source.quoteName;
  return [
    `SELECT *\nFROM (\n  ${lines.join("\n  ")}\n) AS grown`,
    `WHERE ${quote(time.name)} >= ${words.day(first, { type: "DATE" })}`,
    `ORDER BY ${groups.map(({ name }) => quote(name)).join(", ")}`,
    limitSql(words, MAX_ROWS),
  ].join("\n");
}

/** The share of each row in the sum of all rows, as a column in percent. */
function shareColumn({ text }: Value, { words, model }: Parts): string {
  const share = words.rounded(`100.0 * ${text} / nullif(sum(${text}) OVER (), 0)`);
  return `${share} AS ${model.source.quoteName("share_percent")}`;
}

/** The share of the filtered rows in all rows of the same period, as a statement. */
export function shareOfAll({ values: [value], from, when, where, model, words }: Parts): string {
  const select = `SELECT ${value?.text ?? "count(*)"}`;
  const chosen = [select, from.text(), ...clause("WHERE", [...when, ...where], " AND ")].join("\n");
  const all = [select, from.text(), ...clause("WHERE", when, " AND ")].join("\n");
  const share = words.rounded(`100.0 * (\n${chosen}\n) / nullif((\n${all}\n), 0)`);
  return `SELECT ${share} AS ${model.source.quoteName("share_percent")}`;
}
