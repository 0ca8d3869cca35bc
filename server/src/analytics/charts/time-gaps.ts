import type { JsonValue } from "#base";
import type { ResultSet } from "#warehouse";

/** Where in the rows a line has its time, its value and its series. */
interface Places {
  readonly x: number;
  readonly y: number;
  readonly series: number | undefined;
}

/**
 * The rows of a line over days, with one without a value in each gap: a line from January to April would say that February and March lie between
 * them. A gap is wider than the least distance of two times, and of single days wider than a weekend (CA-75).
 */
export function withGaps(rows: ResultSet["rows"], places: Places): ResultSet["rows"] {
  const days = [...new Set(rows.map((row) => dayOf(row[places.x])))].filter((day) => day !== undefined).toSorted();
  const { numberOf, dayAt } = days.every((day) => day.endsWith("-01")) ? MONTHS : DAYS;
  const least = days
    .slice(1)
    .reduce((min, day, at) => Math.min(min, numberOf(day) - numberOf(days[at] ?? day)), Infinity);
  const widest = numberOf === DAYS.numberOf && least === 1 ? WEEKEND : least;
  const gapAfter = (one: string, next: string) =>
    numberOf(next) - numberOf(one) > widest ? dayAt(numberOf(one) + least) : undefined;
  const lines = Map.groupBy(rows, (row) => (places.series === undefined ? undefined : row[places.series]));
  return [...lines.values()].flatMap((line) => broken(line, places, gapAfter));
}

/** Whether times without rows lie between those of a column. */
export function hasGaps(cells: readonly JsonValue[]): boolean {
  const rows = [...new Set(cells)].map((cell) => [cell, "0"]);
  return withGaps(rows, { x: 0, y: 1, series: undefined }).length > rows.length;
}

/** From Friday to Monday. */
const WEEKEND = 3;

/** The rows of one line in the order of time, with one without a value in each gap. */
function broken(
  line: ResultSet["rows"],
  { x, y }: Places,
  gapAfter: (one: string, next: string) => string | undefined,
): ResultSet["rows"] {
  const ordered = line.toSorted((one, other) => String(one[x]).localeCompare(String(other[x])));
  return ordered.flatMap((row, at) => {
    const [day, next] = [dayOf(row[x]), dayOf(ordered[at + 1]?.[x])];
    const missing = day !== undefined && next !== undefined ? gapAfter(day, next) : undefined;
    if (missing === undefined) return [row];
    return [row, row.map((cell, column) => (column === x ? missing : column === y ? null : cell))];
  });
}

function dayOf(cell: JsonValue | undefined): string | undefined {
  return typeof cell === "string" && /^\d{4}-\d\d-\d\d/.test(cell) ? cell.slice(0, 10) : undefined;
}

/** Days as whole numbers, one more for the next day. */
const DAYS = {
  numberOf: (day: string) => Math.round(Date.parse(day) / 86_400_000),
  dayAt: (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10),
};

/** First days of months as whole numbers, one more for the next month. */
const MONTHS = {
  numberOf: (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1,
  dayAt: (number: number) => new Date(Date.UTC(Math.floor(number / 12), number % 12, 1)).toISOString().slice(0, 10),
};
