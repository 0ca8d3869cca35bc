import type { JsonValue } from "#base";
import type { ResultSet } from "#warehouse";
import type { InterpretedQuery } from "../interpretation.ts";

/** The largest number of rows that are described one by one. */
const TOLD = 5;

/** Describes a result in plain words, as Markdown. Every number is a cell of the rows, rounded to two places where it has more. */
export function describeResult({ understanding, warnings, sql }: InterpretedQuery, result: ResultSet): string {
  const notes = [...warnings, ...rowsCut(sql, result)].map((warning) => `*${warning}*`);
  return [body(understanding, result), ...notes].join("\n\n");
}

/** Warns about a result at a limit that the rules chose. */
export function rowsCut(sql: string, { rows, truncated }: ResultSet): readonly string[] {
  const limit = Number(/(?:LIMIT|FETCH NEXT) (\d+)(?: ROWS ONLY)?$/.exec(sql)?.[1]);
  return truncated || (limit >= 100 && rows.length === limit)
    ? [`Only the first ${rows.length} rows are shown; there may be more.`]
    : [];
}

function body(understanding: string, result: ResultSet): string {
  const [first, ...more] = result.rows;
  if (!first || first.every((cell) => cell === null)) return `${understanding} Nothing was found.`;
  if (more.length === 0) return `${understanding}\n\n${single(result)}`;
  const time = result.columns.findIndex(({ type }) => type === "DATE");
  return `${understanding}\n\n${time === 0 && result.columns.length === 2 ? overTime(result) : ranked(result)}`;
}

function single({ columns, rows: [row = []] }: ResultSet): string {
  const parts = columns.map(({ name }, at) => `${spoken(name)}: **${formatCell(row[at] ?? null, name)}**`);
  return parts.join(", ");
}

/** The highest, the lowest and the last point of a line. */
function overTime({ columns, rows }: ResultSet): string {
  const points = rows.map(([when, value]) => ({ when: String(when), value, number: Number(value) }));
  const byValue = points.filter(({ value }) => value !== null).toSorted((left, right) => right.number - left.number);
  const [highest, lowest, last] = [byValue[0], byValue.at(-1), points.at(-1)];
  const name = spoken(columns[1]?.name ?? "value");
  const point = (label: string, at: (typeof points)[number] | undefined) =>
    at ? [`- ${label}: **${formatCell(at.value ?? null, name)}** (${at.when})`] : [];
  return [`${name}:`, ...point("highest", highest), ...point("lowest", lowest), ...point("latest", last)].join("\n");
}

function ranked({ columns, rows, truncated }: ResultSet): string {
  const lines = rows.slice(0, TOLD).map((row) => {
    const numbers = columns.flatMap(({ name, type }, at) =>
      isNumber(type) ? [`${spoken(name).toLowerCase()} **${formatCell(row[at] ?? null, name)}**`] : [],
    );
    const names = columns.flatMap(({ name, type }, at) => (isNumber(type) ? [] : [formatCell(row[at] ?? null, name)]));
    return `- ${names.join(", ")}${numbers.length > 0 && names.length > 0 ? ": " : ""}${numbers.join(", ")}`;
  });
  const more = rows.length > TOLD || truncated ? ["", "More rows are in the table."] : [];
  return [...lines, ...more].join("\n");
}

function isNumber(type: string): boolean {
  return type === "INT64" || type === "FLOAT64" || type === "NUMERIC" || type === "BIGNUMERIC";
}

function spoken(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Places behind the point of numbers that are told as they are. */
const MOST_PLACES = 3;

/** Formats a cell: years, keys and codes as they are, other numbers with thousands separators and at most two places, everything else unchanged. */
function formatCell(cell: JsonValue, column: string): string {
  if (cell === null) return "–";
  if (typeof cell !== "string") return JSON.stringify(cell);
  if (/(^|_|\s)(year|id|key|code|zip|nr)$/i.test(column) && /^\d+$/.test(cell)) return cell;
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell)) return cell;
  const number = Number(cell);
  const [, places = ""] = cell.split(".");
  // A gravity of 1.075 is that, and not 1.08; a mean has as many places as the engine computes.
  const isShort = places.length <= MOST_PLACES && !/e/i.test(cell);
  return number.toLocaleString("en-US", {
    maximumFractionDigits: isShort ? MOST_PLACES : Math.abs(number) < 1 ? 4 : 2,
  });
}
