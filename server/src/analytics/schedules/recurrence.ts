import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { RefreshSchedule_Frequency as Frequency, type RefreshSchedule } from "@frontdesk/protos/gda/refresh_schedule";
import { definedFields, nextOccurrence, type Recurrence } from "#base";

const EVERY: Readonly<Partial<Record<Frequency, Recurrence["every"]>>> = {
  [Frequency.HOURLY]: "hour",
  [Frequency.DAILY]: "day",
  [Frequency.WEEKLY]: "week",
};

/** The first time of a schedule after an instant. */
export function nextRunTime(schedule: RefreshSchedule, after: number): RefreshSchedule["nextRunTime"] {
  const { frequency, startTime, daysOfWeek, timeZone } = schedule;
  const recurrence = {
    ...definedFields({ every: EVERY[frequency] }),
    start: startTime ? timestampMs(startTime) : 0,
    daysOfWeek,
  };
  const next = nextOccurrence(recurrence, timeZone, after);
  return next === undefined ? undefined : timestampFromMs(next);
}
