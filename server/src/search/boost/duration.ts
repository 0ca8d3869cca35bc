const PATTERN = /^P?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Milliseconds of an XSD `dayTimeDuration` as control points of freshness write it, `[nD][T[nH][nM][nS]]`, the leading `P` of
 * ISO 8601 accepted: `5D`, `3DT12H30M`, `T24H`. Undefined for anything else (data_store_tool.proto, ControlPoint).
 */
export function parseDayTimeDuration(text: string): number | undefined {
  const match = PATTERN.exec(text.trim());
  const parts = match?.slice(1) ?? [];
  if (parts.every((part) => part === undefined)) return undefined;
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (days ?? 0) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE + (seconds ?? 0) * SECOND;
}
