import type { SqlDialect } from "#warehouse";
import type { ModelGrain, TimeUnit } from "../model/model.ts";

/** What compiled statements say differently in each dialect. Calendar functions take and give dates, but for hours. */
export interface ModelDialect {
  readonly name: SqlDialect;
  /** Name of the dialect among the spellings of a dimension. */
  readonly spelling: string;
  quote(name: string): string;
  text(value: string): string;
  truncate(grain: ModelGrain, value: string): string;
  /** The day of a time. */
  day(value: string): string;
  date(iso: string): string;
  timestamp(iso: string): string;
  add(date: string, count: number, unit: TimeUnit): string;
  /** A FROM item with one column `p`: the first days of all units from one to another. */
  series(first: string, last: string, unit: TimeUnit, from: string): string;
  /** A number that divides without losing its fraction. */
  exact(value: string): string;
  ratio(above: string, below: string): string;
  readonly percentile?: (value: string, fraction: number) => string;
  /** The mean of values; absent where that is AVG. */
  readonly mean?: (value: string) => string;
  /** The sum of values; absent where that is SUM. */
  readonly total?: (value: string) => string;
  /** Terms of an order in which what has no value is last; absent where `x IS NULL` is a value. */
  readonly nullsLast?: (value: string) => string;
  /** Whether GROUP BY takes expressions alone, not positions. Default false. */
  readonly groupsByExpression?: boolean;
  /** A condition that holds where another one does not, or is unknown; absent where that is `IS NOT TRUE`. */
  readonly notTrue?: (condition: string) => string;
  contains(value: string, text: string): string;
  /** No value of a type, for a column of a union. */
  nothing(type: "number" | "date" | "timestamp" | "text" | "boolean"): string;
  least(one: string, other: string): string;
}

const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
const backslashed = (text: string) =>
  `'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
const pattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const TYPES = { number: "INTEGER", date: "DATE", timestamp: "TIMESTAMP", text: "VARCHAR", boolean: "BOOLEAN" } as const;
const GOOGLE_TYPES = {
  number: "INT64",
  date: "DATE",
  timestamp: "TIMESTAMP",
  text: "STRING",
  boolean: "BOOL",
} as const;

const STANDARD = {
  quote: quoted,
  text: doubled,
  day: (value: string) => `CAST(${value} AS DATE)`,
  date: (iso: string) => `DATE ${doubled(iso)}`,
  timestamp: (iso: string) => `TIMESTAMP ${doubled(iso)}`,
  truncate: (grain: ModelGrain, value: string) =>
    grain === "hour" ? `date_trunc('hour', ${value})` : `CAST(date_trunc('${grain}', ${value}) AS DATE)`,
  add: (date: string, count: number, unit: TimeUnit) =>
    // Quarters are three months: not each engine has intervals of quarters.
    unit === "quarter"
      ? `CAST(${date} + INTERVAL '${3 * count} months' AS DATE)`
      : `CAST(${date} + INTERVAL '${count} ${unit}s' AS DATE)`,
  contains: (value: string, text: string) => `${value} ILIKE ${doubled(pattern(text))} ESCAPE '\\'`,
  nothing: (type: keyof typeof TYPES) => `CAST(NULL AS ${TYPES[type]})`,
  least: (one: string, other: string) => `LEAST(${one}, ${other})`,
};

const step = (unit: TimeUnit) => (unit === "quarter" ? "INTERVAL '3 months'" : `INTERVAL '1 ${unit}'`);

const DUCKDB: ModelDialect = {
  ...STANDARD,
  name: "duckdb",
  spelling: "DUCKDB",
  series: (first, last, unit, from) =>
    `(SELECT CAST(unnest(generate_series(${first}, ${last}, ${step(unit)})) AS DATE) AS p ${from})`,
  exact: (value) => value,
  ratio: (above, below) => `${above} / NULLIF(${below}, 0)`,
  percentile: (value, fraction) => `quantile_cont(${value}, ${fraction})`,
};

const POSTGRESQL: ModelDialect = {
  ...STANDARD,
  name: "postgresql",
  spelling: "POSTGRESQL",
  series: (first, last, unit, from) =>
    `(SELECT CAST(generate_series(CAST(${first} AS timestamp), CAST(${last} AS timestamp), ${step(unit)}) AS date) AS p ${from})`,
  // A quotient of whole numbers would be a whole number.
  exact: (value) => `CAST(${value} AS numeric)`,
  ratio: (above, below) => `CAST(${above} AS numeric) / NULLIF(${below}, 0)`,
  percentile: (value, fraction) => `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${value})`,
};

const GOOGLESQL: ModelDialect = {
  name: "googlesql",
  spelling: "BIGQUERY",
  quote: (name) => `\`${name.replace(/[\\`]/g, "\\$&")}\``,
  text: backslashed,
  day: (value) => `DATE(${value})`,
  date: (iso) => `DATE ${backslashed(iso)}`,
  timestamp: (iso) => `TIMESTAMP ${backslashed(iso)}`,
  truncate: (grain, value) =>
    grain === "hour"
      ? `TIMESTAMP_TRUNC(${value}, HOUR)`
      : `DATE_TRUNC(DATE(${value}), ${grain === "week" ? "ISOWEEK" : grain.toUpperCase()})`,
  add: (date, count, unit) => `DATE_ADD(${date}, INTERVAL ${count} ${unit.toUpperCase()})`,
  series: (first, last, unit, from) =>
    `(SELECT p FROM UNNEST((SELECT GENERATE_DATE_ARRAY(${first}, ${last}, INTERVAL 1 ${unit.toUpperCase()}) ${from})) AS p)`,
  exact: (value) => value,
  ratio: (above, below) => `${above} / NULLIF(${below}, 0)`,
  contains: (value, text) => `CONTAINS_SUBSTR(${value}, ${backslashed(text)})`,
  nothing: (type) => `CAST(NULL AS ${GOOGLE_TYPES[type]})`,
  least: (one, other) => `LEAST(${one}, ${other})`,
};

const MYSQL_TYPES = { number: "SIGNED", date: "DATE", timestamp: "DATETIME", text: "CHAR", boolean: "SIGNED" } as const;

const MYSQL_UNITS: Readonly<Record<ModelGrain, (value: string) => string>> = {
  hour: (value) => `CAST(DATE_FORMAT(${value}, '%Y-%m-%d %H:00:00') AS DATETIME)`,
  day: (value) => `DATE(${value})`,
  week: (value) => `DATE(${value} - INTERVAL WEEKDAY(${value}) DAY)`,
  month: (value) => `CAST(DATE_FORMAT(${value}, '%Y-%m-01') AS DATE)`,
  quarter: (value) => `MAKEDATE(YEAR(${value}), 1) + INTERVAL QUARTER(${value}) - 1 QUARTER`,
  year: (value) => `MAKEDATE(YEAR(${value}), 1)`,
};

/** A literal where a backslash escapes. */
const escaped = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** MySQL and MariaDB. */
const MYSQL: ModelDialect = {
  name: "mysql",
  spelling: "MYSQL",
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  text: escaped,
  day: (value) => `DATE(${value})`,
  date: (iso) => `DATE ${escaped(iso)}`,
  timestamp: (iso) => `TIMESTAMP ${escaped(iso)}`,
  truncate: (grain, value) => MYSQL_UNITS[grain](value),
  add: (date, count, unit) => `CAST(${date} + INTERVAL ${count} ${unit.toUpperCase()} AS DATE)`,
  series: (first, last, unit, from) => {
    const next = `CAST(p + INTERVAL 1 ${unit.toUpperCase()} AS DATE)`;
    const start = `SELECT CAST(${first} AS DATE) AS p, CAST(${last} AS DATE) AS q ${from}`;
    return `(WITH RECURSIVE n AS (${start} UNION ALL SELECT ${next}, q FROM n WHERE ${next} <= q) SELECT p FROM n)`;
  },
  // A quotient of decimals would have four more digits than its dividend.
  exact: (value) => `(${value} * 1e0)`,
  ratio: (above, below) => `${above} * 1e0 / NULLIF(${below}, 0)`,
  contains: (value, text) => `LOWER(${value}) LIKE LOWER(${escaped(pattern(text))})`,
  nothing: (type) => `CAST(NULL AS ${MYSQL_TYPES[type]})`,
  least: (one, other) => `LEAST(${one}, ${other})`,
};

const CLICKHOUSE_STARTS: Readonly<Record<ModelGrain, string>> = {
  ...{ hour: "toStartOfHour", day: "toDate", week: "toMonday" },
  ...{ month: "toStartOfMonth", quarter: "toStartOfQuarter", year: "toStartOfYear" },
};
const clickhouseText = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const clickhouseAdd = (date: string, count: string, unit: TimeUnit) =>
  `add${unit[0]?.toUpperCase()}${unit.slice(1)}s(${date}, ${count})`;

const CLICKHOUSE: ModelDialect = {
  name: "clickhouse",
  spelling: "CLICKHOUSE",
  quote: (name) => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``,
  text: clickhouseText,
  day: (value) => `toDate(${value})`,
  date: (iso) => `toDate(${clickhouseText(iso)})`,
  timestamp: (iso) => `toDateTime64(${clickhouseText(iso)}, 6)`,
  truncate: (grain, value) => `${CLICKHOUSE_STARTS[grain]}(${value})`,
  add: (date, count, unit) => clickhouseAdd(date, String(count), unit),
  series: (first, last, unit, from) => {
    const count = `toUInt64(dateDiff('${unit}', ${first}, ${last}) + 1)`;
    return `(SELECT ${clickhouseAdd(first, `arrayJoin(range(${count}))`, unit)} AS p ${from})`;
  },
  exact: (value) => `toFloat64(${value})`,
  ratio: (above, below) => `toFloat64(${above}) / nullIf(${below}, 0)`,
  percentile: (value, fraction) => `quantileExactInclusive(${fraction})(${value})`,
  contains: (value, text) => `positionCaseInsensitiveUTF8(${value}, ${clickhouseText(text)}) > 0`,
  // NULL alone has a type that joins every other one.
  nothing: () => "NULL",
  least: (one, other) => `least(${one}, ${other})`,
};

const TRINO: ModelDialect = {
  ...STANDARD,
  name: "trino",
  spelling: "TRINO",
  add: (date, count, unit) => `date_add('${unit}', ${count}, CAST(${date} AS DATE))`,
  series: (first, last, unit, from) => {
    const step = { day: "'1' DAY", week: "'7' DAY", month: "'1' MONTH", quarter: "'3' MONTH", year: "'1' YEAR" }[unit];
    return `(SELECT x.p FROM (SELECT ${first} AS first_p, ${last} AS last_p ${from}) AS z CROSS JOIN UNNEST(sequence(z.first_p, z.last_p, INTERVAL ${step})) AS x (p))`;
  },
  exact: (value) => `CAST(${value} AS DOUBLE)`,
  ratio: (above, below) => `CAST(${above} AS DOUBLE) / NULLIF(${below}, 0)`,
  contains: (value, text) => `strpos(lower(${value}), lower(${doubled(text)})) > 0`,
};

/** The first days of units, counted from a product of digits: for dialects without series and with limits of recursion. A hundred thousand are 273 years of days. */
function countedSeries(first: string, last: string, unit: TimeUnit, from: string): string {
  const digits = `(${Array.from({ length: 10 }, (_, digit) => (digit === 0 ? "SELECT 0 AS d" : `SELECT ${digit}`)).join(" UNION ALL ")})`;
  const number = ["d0", "d1", "d2", "d3", "d4"].map((name, at) => `${10 ** at} * ${name}.d`).join(" + ");
  const product = ["d0", "d1", "d2", "d3", "d4"].map((name) => `${digits} AS ${name}`).join(" CROSS JOIN ");
  const day = `CAST(DATEADD(${unit}, k.n, z.first_p) AS DATE)`;
  return `(SELECT ${day} AS p FROM (SELECT ${first} AS first_p, ${last} AS last_p ${from}) AS z CROSS JOIN (SELECT ${number} AS n FROM ${product}) AS k WHERE ${day} <= z.last_p)`;
}

const REDSHIFT: ModelDialect = {
  ...STANDARD,
  name: "redshift",
  spelling: "REDSHIFT",
  text: escaped,
  add: (date, count, unit) => `CAST(DATEADD(${unit}, ${count}, ${date}) AS DATE)`,
  series: countedSeries,
  exact: (value) => `CAST(${value} AS DOUBLE PRECISION)`,
  ratio: (above, below) => `CAST(${above} AS DOUBLE PRECISION) / NULLIF(${below}, 0)`,
  percentile: (value, fraction) => `PERCENTILE_CONT(${fraction}) WITHIN GROUP (ORDER BY ${value})`,
  // The mean of whole numbers would be a whole number.
  mean: (value) => `AVG(CAST(${value} AS DOUBLE PRECISION))`,
  contains: (value, text) => `STRPOS(LOWER(${value}), LOWER(${escaped(text)})) > 0`,
};

const SNOWFLAKE: ModelDialect = {
  ...REDSHIFT,
  mean: (value) => `AVG(${value})`,
  name: "snowflake",
  spelling: "SNOWFLAKE",
  exact: (value) => `CAST(${value} AS DOUBLE)`,
  // A quotient of whole numbers would have six digits.
  ratio: (above, below) => `CAST(${above} AS DOUBLE) / NULLIF(${below}, 0)`,
  contains: (value, text) => `CONTAINS(LOWER(${value}), LOWER(${escaped(text)}))`,
};

const DATABRICKS: ModelDialect = {
  ...STANDARD,
  name: "databricks",
  spelling: "DATABRICKS",
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  text: backslashed,
  date: (iso) => `DATE ${backslashed(iso)}`,
  timestamp: (iso) => `TIMESTAMP ${backslashed(iso)}`,
  add: (date, count, unit) => `CAST(DATEADD(${unit}, ${count}, ${date}) AS DATE)`,
  series: (first, last, unit, from) => {
    const step = { day: "1 DAY", week: "7 DAY", month: "1 MONTH", quarter: "3 MONTH", year: "1 YEAR" }[unit];
    return `(SELECT explode(sequence(z.first_p, z.last_p, INTERVAL ${step})) AS p FROM (SELECT ${first} AS first_p, ${last} AS last_p ${from}) AS z)`;
  },
  exact: (value) => `CAST(${value} AS DOUBLE)`,
  ratio: (above, below) => `CAST(${above} AS DOUBLE) / NULLIF(${below}, 0)`,
  percentile: (value, fraction) => `percentile(${value}, ${fraction})`,
  contains: (value, text) => `contains(lower(${value}), lower(${backslashed(text)}))`,
  // Its VARCHAR has a length.
  nothing: (type) => (type === "text" ? "CAST(NULL AS STRING)" : `CAST(NULL AS ${TYPES[type]})`),
};

const SQLSERVER_TYPES = {
  ...{ number: "BIGINT", date: "DATE", timestamp: "DATETIME2", text: "NVARCHAR(4000)", boolean: "BIT" },
} as const;

/** The 1st of January 1900 was a Monday. */
const SQLSERVER_STARTS: Readonly<Record<ModelGrain, (value: string) => string>> = {
  hour: (value) => `DATEADD(hour, DATEPART(hour, ${value}), CAST(CAST(${value} AS DATE) AS DATETIME2))`,
  day: (value) => `CAST(${value} AS DATE)`,
  week: (value) => `DATEADD(day, -((DATEDIFF(day, '19000101', ${value}) % 7 + 7) % 7), CAST(${value} AS DATE))`,
  month: (value) => `DATEFROMPARTS(YEAR(${value}), MONTH(${value}), 1)`,
  quarter: (value) => `DATEFROMPARTS(YEAR(${value}), 3 * DATEPART(quarter, ${value}) - 2, 1)`,
  year: (value) => `DATEFROMPARTS(YEAR(${value}), 1, 1)`,
};

const SQLSERVER: ModelDialect = {
  name: "sqlserver",
  spelling: "SQLSERVER",
  quote: (name) => `[${name.replaceAll("]", "]]")}]`,
  text: doubled,
  day: (value) => `CAST(${value} AS DATE)`,
  date: (iso) => `CAST(${doubled(iso)} AS DATE)`,
  timestamp: (iso) => `CAST(${doubled(iso)} AS DATETIME2)`,
  truncate: (grain, value) => SQLSERVER_STARTS[grain](value),
  add: (date, count, unit) => `CAST(DATEADD(${unit}, ${count}, ${date}) AS DATE)`,
  series: countedSeries,
  exact: (value) => `CAST(${value} AS FLOAT)`,
  ratio: (above, below) => `CAST(${above} AS FLOAT) / NULLIF(${below}, 0)`,
  mean: (value) => `AVG(CAST(${value} AS FLOAT))`,
  // A sum of whole numbers of 32 bits has 32 bits.
  total: (value) => `SUM(CAST(1 AS BIGINT) * (${value}))`,
  nullsLast: (value) => `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END, ${value}`,
  groupsByExpression: true,
  notTrue: (condition) => `CASE WHEN ${condition} THEN 1 ELSE 0 END = 0`,
  contains: (value, text) => `CHARINDEX(LOWER(${doubled(text)}), LOWER(${value})) > 0`,
  nothing: (type) => `CAST(NULL AS ${SQLSERVER_TYPES[type]})`,
  least: (one, other) => `CASE WHEN ${one} <= ${other} THEN ${one} ELSE ${other} END`,
};

/** The dialect of an engine; undefined where nothing compiles to it. */
export function modelDialect(name: SqlDialect): ModelDialect | undefined {
  return {
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
  }[name];
}
