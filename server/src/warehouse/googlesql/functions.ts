import { quoteName } from "../sql-quoting.ts";
import type { Node } from "./syntax.ts";
import { isGroup, isWord } from "./syntax.ts";
import { UntranslatableError } from "./tokens.ts";

/** Writes nodes in DuckDB's dialect. */
type Write = (nodes: readonly Node[]) => string;

/** Writes a call in DuckDB's dialect, from its GoogleSQL arguments. */
type Rewrite = (args: readonly (readonly Node[])[], write: Write, name: string) => string;

/** Functions that have another name in DuckDB. */
const RENAMED: Readonly<Record<string, string>> = {
  ...{
    COUNTIF: "count_if",
    LOGICAL_OR: "bool_or",
    LOGICAL_AND: "bool_and",
    ARRAY_LENGTH: "len",
    CHAR_LENGTH: "length",
  },
  ...{
    CHARACTER_LENGTH: "length",
    BYTE_LENGTH: "octet_length",
    REGEXP_CONTAINS: "regexp_matches",
    STDDEV: "stddev_samp",
  },
  ...{ VARIANCE: "var_samp", TO_JSON_STRING: "to_json", JSON_VALUE: "json_extract_string", JSON_QUERY: "json_extract" },
  ...{
    JSON_EXTRACT_SCALAR: "json_extract_string",
    GENERATE_UUID: "uuid",
    ARRAY_CONCAT: "list_concat",
    ARRAY_REVERSE: "list_reverse",
  },
};

/** DuckDB units by GoogleSQL units. WEEK begins on Sunday in GoogleSQL, on Monday in DuckDB. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ MICROSECOND: "microsecond", MILLISECOND: "millisecond", SECOND: "second", MINUTE: "minute", HOUR: "hour" },
  ...{ DAY: "day", ISOWEEK: "week", MONTH: "month", QUARTER: "quarter", YEAR: "year", ISOYEAR: "isoyear" },
};

const toDate = (text: string) => `CAST(${text} AS DATE)`;

const REWRITES: Readonly<Record<string, Rewrite>> = {
  CURRENT_DATE: () => "current_date",
  CURRENT_TIMESTAMP: () => "now()",
  CURRENT_DATETIME: () => "CAST(now() AS TIMESTAMP)",
  CURRENT_TIME: () => "CAST(now() AS TIME)",
  DATE: (args, write) =>
    args.length === 3 ? `make_date(${args.map(write).join(", ")})` : toDate(write(only(args, "DATE", 1))),
  DATETIME: (args, write) => `CAST(${write(only(args, "DATETIME", 1))} AS TIMESTAMP)`,
  TIMESTAMP: (args, write) => `CAST(${write(only(args, "TIMESTAMP", 1))} AS TIMESTAMPTZ)`,
  STRING: (args, write) => `CAST(${write(only(args, "STRING", 1))} AS VARCHAR)`,
  DATE_TRUNC: (args, write) => toDate(truncated(args, write, true)),
  DATETIME_TRUNC: (args, write) => truncated(args, write, false),
  TIMESTAMP_TRUNC: (args, write) => truncated(args, write, false),
  DATE_DIFF: (args, write) => difference(args, write, "date_diff", toDate),
  DATETIME_DIFF: (args, write) => difference(args, write, "date_diff", (text) => text),
  TIMESTAMP_DIFF: (args, write) => difference(args, write, "date_sub", (text) => text),
  DATE_ADD: (args, write) => toDate(shifted(args, write, "+", toDate)),
  DATE_SUB: (args, write) => toDate(shifted(args, write, "-", toDate)),
  DATETIME_ADD: (args, write) => shifted(args, write, "+", (text) => text),
  DATETIME_SUB: (args, write) => shifted(args, write, "-", (text) => text),
  TIMESTAMP_ADD: (args, write) => shifted(args, write, "+", (text) => text),
  TIMESTAMP_SUB: (args, write) => shifted(args, write, "-", (text) => text),
  FORMAT_DATE: formatted,
  FORMAT_DATETIME: formatted,
  FORMAT_TIMESTAMP: formatted,
  PARSE_DATE: ([format = [], text = []], write) => toDate(`strptime(${write(text)}, ${write(format)})`),
  PARSE_DATETIME: ([format = [], text = []], write) => `strptime(${write(text)}, ${write(format)})`,
  PARSE_TIMESTAMP: ([format = [], text = []], write) =>
    `CAST(strptime(${write(text)}, ${write(format)}) AS TIMESTAMPTZ)`,
  SAFE_DIVIDE: ([left = [], right = []], write) => `((${write(left)}) / nullif(${write(right)}, 0))`,
  IEEE_DIVIDE: ([left = [], right = []], write) => `(CAST(${write(left)} AS DOUBLE) / ${write(right)})`,
  DIV: ([left = [], right = []], write) => `((${write(left)}) // (${write(right)}))`,
  REGEXP_REPLACE: ([text = [], pattern = [], by = []], write) =>
    `regexp_replace(${write(text)}, ${write(pattern)}, ${write(by)}, 'g')`,
  REGEXP_EXTRACT: (args, write) => {
    const [text = [], pattern = []] = args;
    if (args.length > 2) throw new UntranslatableError("REGEXP_EXTRACT", "a position or occurrence is not translated");
    return `nullif(regexp_extract(${write(text)}, ${write(pattern)}, ${hasGroup(pattern) ? 1 : 0}), '')`;
  },
  REGEXP_EXTRACT_ALL: ([text = [], pattern = []], write) =>
    `regexp_extract_all(${write(text)}, ${write(pattern)}, ${hasGroup(pattern) ? 1 : 0})`,
  CONTAINS_SUBSTR: ([text = [], part = []], write) => `contains(lower(${write(text)}), lower(${write(part)}))`,
  SPLIT: ([text = [], by], write) => `string_split(${write(text)}, ${by ? write(by) : "','"})`,
  GENERATE_ARRAY: (args, write) => `generate_series(${args.map(write).join(", ")})`,
  GENERATE_DATE_ARRAY: ([from = [], to = [], step], write) =>
    `list_transform(generate_series(${write(from)}, ${write(to)}, ${step ? write(step) : "INTERVAL 1 DAY"}), lambda d: CAST(d AS DATE))`,
  APPROX_QUANTILES: ([value = [], count = []], write) => {
    const parts = Number(write(count));
    if (!Number.isInteger(parts) || parts < 1 || parts > 1000)
      throw new UntranslatableError("APPROX_QUANTILES", "its number must be written out");
    const shares = Array.from({ length: parts + 1 }, (_, at) => at / parts);
    return `approx_quantile(${write(value)}, [${shares.join(", ")}])`;
  },
  STRUCT: (args, write) => {
    const fields = args.map((argument, at) => named(argument, at));
    return `struct_pack(${fields.map(({ name, value }) => `${quoteName(name)} := ${write(value)}`).join(", ")})`;
  },
  FORMAT: (args, write) => {
    const [format] = args[0] ?? [];
    if (format?.kind !== "string" || /%[^sdfegxX%.\d+\-0, ]/.test(format.text))
      throw new UntranslatableError("FORMAT", "only %s, %d, %f and the like are translated");
    return `printf(${args.map(write).join(", ")})`;
  },
};

/** Functions that DuckDB does not have and that cannot be rewritten. */
const UNKNOWN =
  /^(ML|AI|ST_\w+|NET|KEYS|AEAD|HLL_COUNT|FARM_FINGERPRINT|SESSION_USER|EXTERNAL_QUERY|APPROX_TOP_COUNT|APPROX_TOP_SUM|NORMALIZE|INITCAP|SOUNDEX|CODE_POINTS_TO_STRING|DATE_BUCKET|LAST_DAY_OF)$/;

/** How a call is written in DuckDB; undefined where it is the same. */
export function rewriteOf(name: string): Rewrite | undefined {
  const upper = name.toUpperCase();
  if (UNKNOWN.test(upper)) throw new UntranslatableError(upper, "this function is not available");
  const renamed = RENAMED[upper];
  if (renamed) return (args, write) => `${renamed}(${args.map(write).join(", ")})`;
  return Object.hasOwn(REWRITES, upper) ? REWRITES[upper] : undefined;
}

function only(args: readonly (readonly Node[])[], name: string, count: number): readonly Node[] {
  if (args.length !== count) throw new UntranslatableError(name, "a time zone or other argument is not translated");
  return args[0] ?? [];
}

/** A unit as a text literal: MONTH, ISOWEEK, WEEK(MONDAY). */
export function unitOf(nodes: readonly Node[] | undefined, construct: string): string {
  const [word, day] = nodes ?? [];
  if (isWord(word, "WEEK") && isGroup(day, "(") && isWord(day.items[0], "MONDAY")) return "week";
  const unit = word?.kind === "word" ? UNITS[word.text.toUpperCase()] : undefined;
  if (unit && nodes?.length === 1) return unit;
  const written = word?.kind === "word" ? word.text.toUpperCase() : "its unit";
  throw new UntranslatableError(`${construct} with ${written}`, "weeks begin on Monday; use ISOWEEK or WEEK(MONDAY)");
}

function truncated([value = [], unit]: readonly (readonly Node[])[], write: Write, isDate: boolean): string {
  if (unit?.length === 1 && isWord(unit[0], "WEEK")) {
    const day = toDate(write(value));
    if (isDate) return `${day} - CAST(dayofweek(${day}) AS INTEGER)`;
  }
  return `date_trunc('${unitOf(unit, "TRUNC")}', ${write(value)})`;
}

function difference(
  [later = [], earlier = [], unit]: readonly (readonly Node[])[],
  write: Write,
  by: string,
  cast: (text: string) => string,
): string {
  return `${by}('${unitOf(unit, "DIFF")}', ${cast(write(earlier))}, ${cast(write(later))})`;
}

/** `INTERVAL n UNIT` as the second argument. */
function shifted(
  [value = [], step = []]: readonly (readonly Node[])[],
  write: Write,
  sign: "+" | "-",
  cast: (text: string) => string,
): string {
  const [word, ...rest] = step;
  if (!isWord(word, "INTERVAL"))
    throw new UntranslatableError("INTERVAL", "the step has to be written as INTERVAL n UNIT");
  const unit = isWord(rest.at(-1), "WEEK") ? "week" : unitOf(rest.slice(-1), "INTERVAL");
  return `(${cast(write(value))} ${sign} to_${unit}s(${count(write(rest.slice(0, -1)))}))`;
}

/** Whole numbers stay whole for the functions that make intervals. */
function count(text: string): string {
  return /^\d+$/.test(text) ? text : `CAST(${text} AS INTEGER)`;
}

function formatted([format = [], value = []]: readonly (readonly Node[])[], write: Write): string {
  return `strftime(${write(value)}, ${write(format)})`;
}

function hasGroup([pattern]: readonly Node[]): boolean {
  return pattern?.kind === "string" && /(?<!\\)\((?!\?)/.test(pattern.text);
}

/** `x AS y`, `t.y`, or a field without a name. */
function named(argument: readonly Node[], at: number): { readonly name: string; readonly value: readonly Node[] } {
  const last = argument.at(-1);
  if (isWord(argument.at(-2), "AS") && (last?.kind === "word" || last?.kind === "quoted-name")) {
    return { name: last.text, value: argument.slice(0, -2) };
  }
  return { name: last?.kind === "word" ? last.text : `_field_${at + 1}`, value: argument };
}
