/** A calendar day and a time of day, without a time zone, as the milliseconds that they would have in UTC. */
export type LocalTime = number;

/** Converts between instants and the local time of one time zone. */
interface Zone {
  toLocal(instant: number): LocalTime;
  /**
   * A local time that clocks show twice is the first of the two instants; one that they skip is as much later as they skip, as in calendars
   * (RFC 5545, 3.3.5).
   */
  toInstant(local: LocalTime): number;
}

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** Creates the conversions of an IANA time zone. "" = UTC. */
export function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timeZone || "UTC",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });

  function toLocal(instant: number): LocalTime {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const second = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return second + (((instant % 1000) + 1000) % 1000);
  }

  function toInstant(local: LocalTime): number {
    const [before, after] = [local - DAY_MS, local + DAY_MS].map((near) => toLocal(near) - near) as [number, number];
    const candidates = [local - before, local - after].filter((instant) => toLocal(instant) === local);
    return candidates.length > 0 ? Math.min(...candidates) : local - before;
  }

  return { toLocal, toInstant };
}
