import type { JsonObject, JsonValue } from "#base";

/** Time unit and label format of a date axis: the coarsest calendar unit on which all dates begin. */
interface AxisGrain {
  readonly timeUnit: string;
  readonly format: string;
}

const YEARS: AxisGrain = { timeUnit: "utcyear", format: "%Y" };
const QUARTERS: AxisGrain = { timeUnit: "utcyearquarter", format: "Q%q %Y" };
const MONTHS: AxisGrain = { timeUnit: "utcyearmonth", format: "%b %Y" };
const DAYS: AxisGrain = { timeUnit: "utcyearmonthdate", format: "%-d %b %Y" };

/** Months are labelled as months, years as years: a label with a day would suggest daily values. */
export function axisGrain(cells: readonly JsonValue[]): AxisGrain {
  const days = cells.flatMap((cell) => (typeof cell === "string" ? [cell.slice(0, 10)] : []));
  if (days.length === 0) return DAYS;
  if (days.every((day) => day.endsWith("-01-01"))) return YEARS;
  if (days.every((day) => /-(01|04|07|10)-01$/.test(day)) && spacing(days) >= 85) return QUARTERS;
  return days.every((day) => day.endsWith("-01")) ? MONTHS : DAYS;
}

/** Days between neighbours at least. */
function spacing(days: readonly string[]): number {
  const times = [...new Set(days)].toSorted().map((day) => Date.parse(day) / 86_400_000);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  return gaps.length > 0 ? Math.min(...gaps) : 0;
}

/** How numbers of a column are written: whole thousands short, else up to two places. */
export function numberFormat(cells: readonly JsonValue[]): string {
  const largest = cells.reduce<number>((max, cell) => Math.max(max, Math.abs(Number(cell ?? 0)) || 0), 0);
  return largest >= 100_000 ? "~s" : ",.2~f";
}

/** The axis of a time, with its labels. */
export function timeAxis(grain: AxisGrain): JsonObject {
  return { labelOverlap: true, format: grain.format };
}
