/** By the name as a client spells it: any mix of upper and lower case is a time zone, so the cache is cleared at this size. */
const MAX_ZONES = 1_000;

/** Formatters are costly to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes dates of a time zone (IANA name), such as `2026-11-20`. Throws RangeError for an unknown one. */
export function zoneDateFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= MAX_ZONES) formats.clear();
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  formats.set(timeZone, format);
  return format;
}

/** Whether a name is one of the IANA database. Formatters also take offsets, such as `+02:00`, which are no names. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    zoneDateFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** The time zone that an app has set; "", which is UTC, when there is none of that name (TURN-65). */
export function knownTimeZone(name: string | undefined): string {
  return name && isTimeZone(name) ? name : "";
}
