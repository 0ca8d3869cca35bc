import type { SemanticColumn } from "#analytics";
import type { SqlDialect } from "#warehouse";
import type { Grain } from "../time/period.ts";

/** The expressions that differ between SQL dialects. */
export interface DialectFunctions {
  /** A text literal. */
  text(value: string): string;
  /** A literal of `true` or `false` that is compared with a boolean; absent where that is TRUE and FALSE. */
  readonly truth?: (value: string) => string;
  /** The first day of the unit of the calendar in which a moment lies. */
  unitOf(grain: Grain, column: string): string;
  /** A whole number that is one more for the next day. */
  dayNumber(day: string): string;
  /** A whole number that is one more for the next month; absent where EXTRACT has year and month. */
  readonly monthNumber?: (day: string) => string;
  /** How many seconds passed from one moment to another; `column`: the first of them. */
  secondsBetween(from: string, to: string, column: Pick<SemanticColumn, "type">): string;
  /** A part of a day as a number; absent where that is EXTRACT. */
  readonly datePart?: (part: "YEAR" | "MONTH" | "DAY", column: string) => string;
  weekday(column: string): string;
  /** A number that orders weekdays from Monday. */
  weekdayOrder(column: string): string;
  /** That number of Mondays. */
  readonly monday: 0 | 1;
  hour(column: string): string;
  /** A day as a literal that may be compared with a column. */
  day(iso: string, column: Pick<SemanticColumn, "type">): string;
  /** An aggregate over values of a type; absent where `fn(value)` is what is meant. */
  readonly aggregate?: (fn: string, value: string, type: string) => string;
  /** Absent where the dialect has none. */
  readonly median?: (value: string) => string;
  /** The value below which so many percent of all are; absent where the dialect has none. */
  readonly percentile?: (value: string, percent: number) => string;
  /** A rounded quotient, also of whole numbers. */
  ratio(above: string, below: string): string;
  rounded(value: string): string;
  /** The largest first, NULLs last. */
  descending(value: string): string;
  /** Whether a text contains another, ignoring case. */
  contains(column: string, text: string, negated: boolean): string;
  /** The first rows of a statement that has an order; absent where that is LIMIT. */
  readonly limit?: (count: number) => string;
  /** Whether the dialect has QUALIFY. */
  readonly qualifies: boolean;
  /** Whether a window goes back by the value that it is ordered by: `RANGE BETWEEN 12 PRECEDING AND 12 PRECEDING`. */
  readonly rangesByValue: boolean;
}

/** An aggregate in a dialect; `type` is of the value. */
export function aggregateSql({ aggregate }: DialectFunctions, fn: string, value: string, type: string): string {
  return aggregate?.(fn, value, type) ?? `${fn}(${value})`;
}

/** A whole number that is one more for the next month. */
export function monthNumber({ monthNumber: own }: DialectFunctions, day: string): string {
  return own?.(day) ?? `(12 * EXTRACT(YEAR FROM ${day}) + EXTRACT(MONTH FROM ${day}))`;
}

/** A literal of `true` or `false`. */
function truthSql({ truth }: DialectFunctions, value: string): string {
  return truth?.(value) ?? value.toUpperCase();
}

/** A literal of a value as a column stores it. */
export function valueSql(words: DialectFunctions, { type, zeroOrOne }: SemanticColumn, value: string): string {
  if (/^BOOL/.test(type)) return truthSql(words, value);
  return zeroOrOne ? value : words.text(value);
}

/** The end of a statement that has an order. */
export function limitSql({ limit }: DialectFunctions, count: number): string {
  return limit?.(count) ?? `LIMIT ${count}`;
}

/** Whether a moment is of some days of the week, Monday 1. */
export function onDaysSql({ weekdayOrder, monday }: DialectFunctions, days: readonly number[], column: string): string {
  return `${weekdayOrder(column)} IN (${days.map((day) => day - 1 + monday).join(", ")})`;
}

/** The expressions of one dialect. */
export function dialectFunctions(dialect: SqlDialect): DialectFunctions {
  return WORDS[dialect];
}

const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
const backslashed = (text: string) => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
const pattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
const not = (negated: boolean) => (negated ? "NOT " : "");
const literal = (iso: string) => `DATE '${iso}'`;

const DUCKDB: DialectFunctions = {
  text: doubled,
  unitOf: (grain, column) => `date_trunc('${grain}', ${column})::DATE`,
  dayNumber: (day) => `date_diff('day', DATE '1970-01-01', ${day})`,
  secondsBetween: (from, to) => `(epoch(${to}) - epoch(${from}))`,
  weekday: (column) => `dayname(${column})`,
  weekdayOrder: (column) => `isodow(${column})`,
  monday: 1,
  hour: (column) => `hour(${column})`,
  day: literal,
  median: (value) => `median(${value})`,
  percentile: (value, percent) => `quantile_cont(${value}, ${percent / 100})`,
  ratio: (above, below) => `${above} / nullif(${below}, 0)`,
  rounded: (value) => `round(${value}, 2)`,
  descending: (value) => `${value} DESC`,
  contains: (column, text, negated) => `${column} ${not(negated)}ILIKE ${doubled(pattern(text))} ESCAPE '\\'`,
  qualifies: true,
  rangesByValue: true,
};

const POSTGRESQL: DialectFunctions = {
  text: doubled,
  unitOf: (grain, column) => `date_trunc('${grain}', ${column})::date`,
  dayNumber: (day) => `(${day} - DATE '1970-01-01')`,
  secondsBetween: (from, to) => `EXTRACT(EPOCH FROM (${to} - ${from}))`,
  weekday: (column) => `to_char(${column}, 'FMDay')`,
  weekdayOrder: (column) => `extract(isodow FROM ${column})`,
  monday: 1,
  hour: (column) => `extract(hour FROM ${column})::int`,
  day: literal,
  median: (value) => `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value})`,
  percentile: (value, percent) => `percentile_cont(${percent / 100}) WITHIN GROUP (ORDER BY ${value})`,
  ratio: (above, below) => `1.0 * ${above} / nullif(${below}, 0)`,
  rounded: (value) => `round((${value})::numeric, 2)`,
  descending: (value) => `${value} DESC NULLS LAST`,
  contains: (column, text, negated) => `${column} ${not(negated)}ILIKE ${doubled(pattern(text))} ESCAPE '\\'`,
  qualifies: false,
  rangesByValue: true,
};

/** Weeks of BigQuery begin on Sunday by default. */
const GOOGLESQL: DialectFunctions = {
  text: backslashed,
  unitOf: (grain, column) => `DATE_TRUNC(DATE(${column}), ${grain === "week" ? "ISOWEEK" : grain.toUpperCase()})`,
  dayNumber: (day) => `UNIX_DATE(${day})`,
  secondsBetween: (from, to, { type }) =>
    `${type === "TIMESTAMP" ? "TIMESTAMP" : "DATETIME"}_DIFF(${to}, ${from}, SECOND)`,
  weekday: (column) => `FORMAT_DATE('%A', DATE(${column}))`,
  weekdayOrder: (column) => `MOD(EXTRACT(DAYOFWEEK FROM ${column}) + 5, 7)`,
  monday: 0,
  hour: (column) => `EXTRACT(HOUR FROM ${column})`,
  day: (iso, { type }) => `${type} '${iso}'`,
  median: (value) => `APPROX_QUANTILES(${value}, 2)[OFFSET(1)]`,
  percentile: (value, percent) => `APPROX_QUANTILES(${value}, 100)[OFFSET(${percent})]`,
  ratio: (above, below) => `${above} / nullif(${below}, 0)`,
  rounded: (value) => `round(${value}, 2)`,
  descending: (value) => `${value} DESC`,
  contains: (column, text, negated) => `${not(negated)}CONTAINS_SUBSTR(${column}, ${backslashed(text)})`,
  qualifies: true,
  rangesByValue: true,
};

const MYSQL_UNITS: Readonly<Record<Grain, (column: string) => string>> = {
  day: (column) => `DATE(${column})`,
  week: (column) => `DATE(${column} - INTERVAL WEEKDAY(${column}) DAY)`,
  month: (column) => `CAST(DATE_FORMAT(${column}, '%Y-%m-01') AS DATE)`,
  quarter: (column) => `MAKEDATE(YEAR(${column}), 1) + INTERVAL (QUARTER(${column}) - 1) QUARTER`,
  year: (column) => `MAKEDATE(YEAR(${column}), 1)`,
};

const MYSQL: DialectFunctions = {
  text: backslashed,
  unitOf: (grain, column) => MYSQL_UNITS[grain](column),
  dayNumber: (day) => `TO_DAYS(${day})`,
  secondsBetween: (from, to) => `TIMESTAMPDIFF(SECOND, ${from}, ${to})`,
  weekday: (column) => `DAYNAME(${column})`,
  weekdayOrder: (column) => `WEEKDAY(${column})`,
  monday: 0,
  hour: (column) => `HOUR(${column})`,
  day: literal,
  ratio: (above, below) => `${above} / nullif(${below}, 0)`,
  rounded: (value) => `round(${value}, 2)`,
  descending: (value) => `${value} DESC`,
  contains: (column, text, negated) => `lower(${column}) ${not(negated)}LIKE lower(${backslashed(pattern(text))})`,
  qualifies: false,
  rangesByValue: true,
};

const CLICKHOUSE_UNITS: Readonly<Record<Grain, string>> = {
  ...{ day: "toDate", week: "toMonday", month: "toStartOfMonth", quarter: "toStartOfQuarter", year: "toStartOfYear" },
};

const CLICKHOUSE: DialectFunctions = {
  text: backslashed,
  unitOf: (grain, column) => `${CLICKHOUSE_UNITS[grain]}(${column})`,
  dayNumber: (day) => `toInt32(${day})`,
  secondsBetween: (from, to) => `dateDiff('second', ${from}, ${to})`,
  weekday: (column) => `dateName('weekday', ${column})`,
  weekdayOrder: (column) => `toDayOfWeek(${column})`,
  monday: 1,
  hour: (column) => `toHour(${column})`,
  day: (iso) => `toDate('${iso}')`,
  median: (value) => `quantileExactInclusive(0.5)(${value})`,
  percentile: (value, percent) => `quantileExactInclusive(${percent / 100})(${value})`,
  ratio: (above, below) => `toFloat64(${above}) / nullIf(${below}, 0)`,
  rounded: (value) => `round(${value}, 2)`,
  descending: (value) => `${value} DESC NULLS LAST`,
  contains: (column, text, negated) =>
    `positionCaseInsensitiveUTF8(${column}, ${backslashed(text)}) ${negated ? "=" : ">"} 0`,
  qualifies: false,
  rangesByValue: true,
};

const TRINO: DialectFunctions = {
  text: doubled,
  unitOf: (grain, column) => `CAST(date_trunc('${grain}', ${column}) AS DATE)`,
  dayNumber: (day) => `date_diff('day', DATE '1970-01-01', ${day})`,
  secondsBetween: (from, to) => `date_diff('second', ${from}, ${to})`,
  weekday: (column) => `date_format(CAST(${column} AS TIMESTAMP), '%W')`,
  weekdayOrder: (column) => `day_of_week(${column})`,
  monday: 1,
  hour: (column) => `hour(${column})`,
  day: literal,
  ratio: (above, below) => `CAST(${above} AS DOUBLE) / nullif(${below}, 0)`,
  rounded: (value) => `round(${value}, 2)`,
  descending: (value) => `${value} DESC NULLS LAST`,
  contains: (column, text, negated) => `strpos(lower(${column}), lower(${doubled(text)})) ${negated ? "=" : ">"} 0`,
  qualifies: false,
  rangesByValue: true,
};

/** Texts have escapes; whole numbers divide to whole numbers. */
const REDSHIFT: DialectFunctions = {
  ...TRINO,
  dayNumber: (day) => `DATEDIFF(day, DATE '1970-01-01', ${day})`,
  secondsBetween: (from, to) => `DATEDIFF(second, ${from}, ${to})`,
  text: backslashed,
  weekday: (column) => `TRIM(TO_CHAR(${column}, 'Day'))`,
  weekdayOrder: (column) => `MOD(CAST(DATE_PART(dow, ${column}) AS INTEGER) + 6, 7)`,
  monday: 0,
  hour: (column) => `EXTRACT(hour FROM ${column})`,
  // The mean of whole numbers would be a whole number.
  aggregate: (fn, value) => (fn === "avg" ? `avg(CAST(${value} AS DOUBLE PRECISION))` : `${fn}(${value})`),
  median: (value) => `MEDIAN(${value})`,
  ratio: (above, below) => `CAST(${above} AS DOUBLE PRECISION) / nullif(${below}, 0)`,
  contains: (column, text, negated) => `strpos(lower(${column}), lower(${backslashed(text)})) ${negated ? "=" : ">"} 0`,
  rangesByValue: false,
};

/** Its names of weekdays are short ones. */
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const SNOWFLAKE: DialectFunctions = {
  ...TRINO,
  dayNumber: (day) => `DATEDIFF(day, DATE '1970-01-01', ${day})`,
  secondsBetween: (from, to) => `DATEDIFF(second, ${from}, ${to})`,
  text: backslashed,
  weekday: (column) =>
    `CASE DAYOFWEEKISO(${column}) ${WEEKDAYS.map((day, at) => `WHEN ${at + 1} THEN '${day}'`).join(" ")} END`,
  weekdayOrder: (column) => `DAYOFWEEKISO(${column})`,
  hour: (column) => `HOUR(${column})`,
  median: (value) => `MEDIAN(${value})`,
  contains: (column, text, negated) => `${not(negated)}CONTAINS(lower(${column}), lower(${backslashed(text)}))`,
  qualifies: true,
};

const DATABRICKS: DialectFunctions = {
  ...TRINO,
  dayNumber: (day) => `datediff(${day}, DATE '1970-01-01')`,
  secondsBetween: (from, to) => `TIMESTAMPDIFF(SECOND, ${from}, ${to})`,
  text: backslashed,
  weekday: (column) => `date_format(${column}, 'EEEE')`,
  weekdayOrder: (column) => `weekday(${column})`,
  monday: 0,
  median: (value) => `median(${value})`,
  percentile: (value, percent) => `percentile(${value}, ${percent / 100})`,
  contains: (column, text, negated) => `${not(negated)}contains(lower(${column}), lower(${backslashed(text)}))`,
  qualifies: true,
};

/** The 1st of January 1900 was a Monday. */
const SQLSERVER_WEEKDAY = (column: string) => `((DATEDIFF(day, '19000101', ${column}) % 7 + 7) % 7)`;

const SQLSERVER_UNITS: Readonly<Record<Grain, (column: string) => string>> = {
  day: (column) => `CAST(${column} AS DATE)`,
  week: (column) => `DATEADD(day, -${SQLSERVER_WEEKDAY(column)}, CAST(${column} AS DATE))`,
  month: (column) => `DATEFROMPARTS(YEAR(${column}), MONTH(${column}), 1)`,
  quarter: (column) => `DATEFROMPARTS(YEAR(${column}), 3 * DATEPART(quarter, ${column}) - 2, 1)`,
  year: (column) => `DATEFROMPARTS(YEAR(${column}), 1, 1)`,
};

/** Whole numbers stay whole, and sums of theirs end at 2^31. */
const SQLSERVER: DialectFunctions = {
  ...TRINO,
  truth: (value) => (value === "true" ? "1" : "0"),
  unitOf: (grain, column) => SQLSERVER_UNITS[grain](column),
  dayNumber: (day) => `DATEDIFF(day, '19700101', ${day})`,
  secondsBetween: (from, to) => `DATEDIFF(second, ${from}, ${to})`,
  datePart: (part, column) => `${part}(${column})`,
  monthNumber: (day) => `(12 * YEAR(${day}) + MONTH(${day}))`,
  weekday: (column) => `DATENAME(weekday, ${column})`,
  weekdayOrder: SQLSERVER_WEEKDAY,
  monday: 0,
  hour: (column) => `DATEPART(hour, ${column})`,
  day: (iso) => `CAST('${iso}' AS DATE)`,
  aggregate: (fn, value, type) => {
    if (fn === "avg") return `avg(CAST(${value} AS FLOAT))`;
    return fn === "sum" && type === "INT64" ? `sum(CAST(${value} AS BIGINT))` : `${fn}(${value})`;
  },
  ratio: (above, below) => `CAST(${above} AS FLOAT) / nullif(${below}, 0)`,
  // Rounding leaves the places of the quotient.
  rounded: (value) => `CAST(${value} AS DECIMAL(18, 2))`,
  // NULLs are the least of all.
  descending: (value) => `${value} DESC`,
  contains: (column, text, negated) => `CHARINDEX(lower(${doubled(text)}), lower(${column})) ${negated ? "=" : ">"} 0`,
  limit: (count) => `OFFSET 0 ROWS FETCH NEXT ${count} ROWS ONLY`,
  rangesByValue: false,
};

const WORDS: Readonly<Record<SqlDialect, DialectFunctions>> = {
  duckdb: DUCKDB,
  postgresql: POSTGRESQL,
  googlesql: GOOGLESQL,
  mysql: MYSQL,
  clickhouse: CLICKHOUSE,
  trino: TRINO,
  redshift: REDSHIFT,
  snowflake: SNOWFLAKE,
  databricks: DATABRICKS,
  sqlserver: SQLSERVER,
};
