import { type BrokenDownTime, toEpoch } from "./broken-down-time.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

const digits = (value: number, width = 2, fill = "0") => String(value).padStart(width, fill);

/** C's `strftime` in the C locale and UTC. A conversion that C does not know stays as written. */
export function formatTime(format: string, time: BrokenDownTime): string {
  return format.replace(/%[-_0^#EO]?([a-zA-Z%])/g, (written, letter) => CONVERSIONS[letter]?.(time) ?? written);
}

const CONVERSIONS: Readonly<Record<string, (time: BrokenDownTime) => string>> = {
  a: ({ weekday }) => (DAYS[weekday] ?? "?").slice(0, 3),
  A: ({ weekday }) => DAYS[weekday] ?? "?",
  b: ({ month }) => (MONTHS[month] ?? "?").slice(0, 3),
  B: ({ month }) => MONTHS[month] ?? "?",
  c: (time) => formatTime("%a %b %e %H:%M:%S %Y", time),
  C: ({ year }) => digits(Math.floor(year / 100)),
  d: ({ day }) => digits(day),
  D: (time) => formatTime("%m/%d/%y", time),
  e: ({ day }) => digits(day, 2, " "),
  F: (time) => formatTime("%Y-%m-%d", time),
  g: (time) => digits(isoWeek(time).year % 100),
  G: (time) => String(isoWeek(time).year),
  h: (time) => formatTime("%b", time),
  H: ({ hour }) => digits(hour),
  I: ({ hour }) => digits(((hour + 11) % 12) + 1),
  j: ({ yearDay }) => digits(yearDay + 1, 3),
  m: ({ month }) => digits(month + 1),
  M: ({ minute }) => digits(minute),
  n: () => "\n",
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  r: (time) => formatTime("%I:%M:%S %p", time),
  R: (time) => formatTime("%H:%M", time),
  s: (time) => String(Math.floor(toEpoch(time) / 1000)),
  S: ({ second }) => digits(second),
  t: () => "\t",
  T: (time) => formatTime("%H:%M:%S", time),
  u: ({ weekday }) => String(weekday || 7),
  U: (time) => digits(weekOfYear(time, 0)),
  V: (time) => digits(isoWeek(time).week),
  w: ({ weekday }) => String(weekday),
  W: (time) => digits(weekOfYear(time, 1)),
  x: (time) => formatTime("%m/%d/%y", time),
  X: (time) => formatTime("%H:%M:%S", time),
  y: ({ year }) => digits(((year % 100) + 100) % 100),
  Y: ({ year }) => String(year),
  z: () => "+0000",
  Z: () => "UTC",
  "%": () => "%",
};

/** Weeks since the year's first `firstWeekday`. */
function weekOfYear({ yearDay, weekday }: BrokenDownTime, firstWeekday: number): number {
  return Math.floor((yearDay + 7 - ((weekday + 7 - firstWeekday) % 7)) / 7);
}

/** ISO 8601: week 1 holds the year's first Thursday. */
function isoWeek({ year, month, day }: BrokenDownTime): { year: number; week: number } {
  const date = new Date(Date.UTC(year, month, day));
  const thursday = new Date(date);
  thursday.setUTCDate(date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7));
  const isoYear = thursday.getUTCFullYear();
  return { year: isoYear, week: 1 + Math.floor((thursday.getTime() - Date.UTC(isoYear, 0, 1)) / 86_400_000 / 7) };
}
