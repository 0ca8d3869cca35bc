const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d))?/;

/**
 * Whether a time in RFC 3339 is on a day and in an hour that exist. JavaScript reads February 30 as March 2, and hour 24 as the next day's
 * first (WIRE-46).
 */
export function isOnCalendar(time: string): boolean {
  const [, year = "", month = "", day = "", hour = "00"] = DATE.exec(time) ?? [];
  return Number(hour) < 24 && (Number(day) < 29 || Number(day) <= daysIn(Number(year), Number(month)));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
