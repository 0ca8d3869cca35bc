import { createZone, DAY_MS, type LocalTime } from "./local-time.ts";

/** When something is due again and again. */
export interface Recurrence {
  /** `biweekly`: every other week, from that of the start. Without `every`, it is due once. */
  readonly every?: "hour" | "day" | "week" | "biweekly";
  /** The first time, in milliseconds; its time of day is that of all others. */
  readonly start: number;
  /** 1 (Monday) to 7 (Sunday), for weeks. Empty: the weekday of the start. */
  readonly daysOfWeek: readonly number[];
}

const HOUR_MS = 3_600_000;

/** Days that are searched: the longest gap is that of a biweekly schedule, and one day on each side for the time zone. */
const LONGEST_GAP_DAYS = 16;

/**
 * The first time of a schedule after an instant, in milliseconds: always at the start time's time of day in the time zone, also when
 * clocks change (EVAL-42). Undefined when there is none.
 */
export function nextOccurrence(recurrence: Recurrence, timeZone: string, after: number): number | undefined {
  const { every, start } = recurrence;
  if (every === undefined) return start > after ? start : undefined;
  if (every === "hour") return after < start ? start : start + (Math.floor((after - start) / HOUR_MS) + 1) * HOUR_MS;
  const zone = createZone(timeZone);
  const first = zone.toLocal(start);
  const from = Math.max(first, zone.toLocal(after) - DAY_MS);
  // The start time's time of day, on the day from which to search.
  const begin = first + Math.floor((from - first) / DAY_MS) * DAY_MS;
  for (let day = 0; day <= LONGEST_GAP_DAYS; day++) {
    const local = begin + day * DAY_MS;
    if (!isScheduled(local, first, recurrence)) continue;
    const instant = zone.toInstant(local);
    if (instant > after && instant >= start) return instant;
  }
  return undefined;
}

/** How many times of a schedule lie after an instant and not after another; counts to `limit`. */
export function countOccurrences(
  recurrence: Recurrence,
  timeZone: string,
  range: { readonly after: number; readonly until: number; readonly limit: number },
): number {
  let count = 0;
  let at = nextOccurrence(recurrence, timeZone, range.after);
  while (at !== undefined && at <= range.until && count < range.limit) {
    count += 1;
    at = nextOccurrence(recurrence, timeZone, at);
  }
  return count;
}

/** Whether a schedule runs on a local day. Without days it runs on the weekday of its start. */
function isScheduled(local: LocalTime, first: LocalTime, { every, daysOfWeek }: Recurrence): boolean {
  if (every === "day") return true;
  const days = daysOfWeek.length > 0 ? daysOfWeek : [weekday(first)];
  if (!days.includes(weekday(local))) return false;
  return every === "week" || (weekOf(local) - weekOf(first)) % 2 === 0;
}

/** 1 (Monday) to 7 (Sunday). */
function weekday(local: LocalTime): number {
  return new Date(local).getUTCDay() || 7;
}

/** Number of the week, which begins on Monday. */
function weekOf(local: LocalTime): number {
  // 1970-01-01 was a Thursday.
  return Math.floor((Math.floor(local / DAY_MS) + 3) / 7);
}
