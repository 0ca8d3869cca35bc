/** Whether a name is one of the IANA database. Formatters also take offsets, such as `+02:00`, which are no names. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The time zone that an app has set; "", which is UTC, when there is none of that name (TURN-65). */
export function knownTimeZone(name: string | undefined): string {
  return name && isTimeZone(name) ? name : "";
}
