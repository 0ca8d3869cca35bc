/** Days from `from`, inclusive, up to `to`, exclusive, as ISO dates; a missing end is open. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
  /** In words: "in 2025", "in the last 30 days". */
  readonly label: string;
  /** The unit of the ends of a range: quarters for "from Q1 to Q2". */
  readonly grain?: Grain;
  /** Whether it ends with today, because its unit has not ended. */
  readonly isToDate?: boolean;
}

/** A unit of the calendar that rows are grouped by. */
export type Grain = "day" | "week" | "month" | "quarter" | "year";

/** A day as an ISO date, in UTC. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The first day of the unit that contains a day; weeks begin on Monday. */
export function startOf(date: Date, grain: Grain): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (grain) {
    case "day":
      return new Date(Date.UTC(year, month, day));
    case "week":
      return new Date(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)));
    case "month":
      return new Date(Date.UTC(year, month, 1));
    case "quarter":
      return new Date(Date.UTC(year, month - (month % 3), 1));
    case "year":
      return new Date(Date.UTC(year, 0, 1));
  }
}

/** The day `count` units later. */
export function add(date: Date, count: number, grain: Grain): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (grain) {
    case "day":
      return new Date(Date.UTC(year, month, day + count));
    case "week":
      return new Date(Date.UTC(year, month, day + 7 * count));
    case "month":
      return new Date(Date.UTC(year, month + count, day));
    case "quarter":
      return new Date(Date.UTC(year, month + 3 * count, day));
    case "year":
      return new Date(Date.UTC(year + count, month, day));
  }
}

/** The unit that begins on `start`. */
export function unitFrom(start: Date, grain: Grain, label: string): Period {
  return { from: isoDay(start), to: isoDay(add(start, 1, grain)), label };
}
