import type { LinearMemory } from "./linear-memory.ts";

/** Byte offsets of C's `struct tm`. */
const FIELD = {
  second: 0,
  minute: 4,
  hour: 8,
  day: 12,
  month: 16,
  year: 20,
  weekday: 24,
  yearDay: 28,
  daylight: 32,
  zone: 36,
};

/** C's broken-down time. The guest lives in UTC: local time is universal time. */
export interface BrokenDownTime {
  readonly second: number;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  /** 0 to 11. */
  readonly month: number;
  /** With the century. */
  readonly year: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 to 365. */
  readonly yearDay: number;
}

/** Reads the structure at an address. */
export function readTime(memory: LinearMemory, address: number): BrokenDownTime {
  const field = (offset: number) => memory.readInt32(address + offset);
  return {
    second: field(FIELD.second),
    minute: field(FIELD.minute),
    hour: field(FIELD.hour),
    day: field(FIELD.day),
    month: field(FIELD.month),
    year: field(FIELD.year) + 1900,
    weekday: field(FIELD.weekday),
    yearDay: field(FIELD.yearDay),
  };
}

/** Writes a date, in UTC, as the structure at an address. */
export function writeTime(memory: LinearMemory, address: number, date: Date): void {
  const put = (offset: number, value: number) => memory.writeInt32(address + offset, value);
  put(FIELD.second, date.getUTCSeconds());
  put(FIELD.minute, date.getUTCMinutes());
  put(FIELD.hour, date.getUTCHours());
  put(FIELD.day, date.getUTCDate());
  put(FIELD.month, date.getUTCMonth());
  put(FIELD.year, date.getUTCFullYear() - 1900);
  put(FIELD.weekday, date.getUTCDay());
  put(FIELD.yearDay, Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000));
  put(FIELD.daylight, 0);
  put(FIELD.zone, 0);
}

/** Milliseconds since the epoch; fields out of range carry over, as `mktime` wants. */
export function toEpoch({ year, month, day, hour, minute, second }: BrokenDownTime): number {
  return Date.UTC(year, month, day, hour, minute, second);
}
