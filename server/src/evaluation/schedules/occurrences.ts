import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  type ScheduledEvaluationRun_SchedulingConfig as SchedulingConfig,
} from "@frontdesk/protos/ces/evaluation";
import { createZone, DAY_MS, type LocalTime } from "./local-time.ts";

/** Days that are searched: the longest gap is that of a biweekly schedule, and one day on each side for the time zone. */
const LONGEST_GAP_DAYS = 16;

/**
 * The first time of a schedule after an instant, in milliseconds: always at the start time's time of day in the time zone, also when
 * clocks change (EVAL-42). Undefined when there is none.
 */
export function nextOccurrence(config: SchedulingConfig, timeZone: string, after: number): number | undefined {
  const start = config.startTime ? timestampMs(config.startTime) : 0;
  if (config.frequency === Frequency.NONE || config.frequency === Frequency.FREQUENCY_UNSPECIFIED) {
    return start > after ? start : undefined;
  }
  const zone = createZone(timeZone);
  const first = zone.toLocal(start);
  const from = Math.max(first, zone.toLocal(after) - DAY_MS);
  // The start time's time of day, on the day from which to search.
  const begin = first + Math.floor((from - first) / DAY_MS) * DAY_MS;
  for (let day = 0; day <= LONGEST_GAP_DAYS; day++) {
    const local = begin + day * DAY_MS;
    if (!isScheduled(local, first, config)) continue;
    const instant = zone.toInstant(local);
    if (instant > after && instant >= start) return instant;
  }
  return undefined;
}

/** How many times of a schedule lie after an instant and not after another; counts to `limit`. */
export function countOccurrences(
  config: SchedulingConfig,
  timeZone: string,
  range: { readonly after: number; readonly until: number; readonly limit: number },
): number {
  let count = 0;
  let at = nextOccurrence(config, timeZone, range.after);
  while (at !== undefined && at <= range.until && count < range.limit) {
    count += 1;
    at = nextOccurrence(config, timeZone, at);
  }
  return count;
}

/** Whether a schedule runs on a local day. Without days it runs on the weekday of its start. */
function isScheduled(local: LocalTime, first: LocalTime, { frequency, daysOfWeek }: SchedulingConfig): boolean {
  if (frequency === Frequency.DAILY) return true;
  const days = daysOfWeek.length > 0 ? daysOfWeek : [weekday(first)];
  if (!days.includes(weekday(local))) return false;
  return frequency === Frequency.WEEKLY || (weekOf(local) - weekOf(first)) % 2 === 0;
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
