import { textInAddress } from "../../api/text-in-address.ts";

/** The parent of the entries of the whole server, those that concern no project among them. */
export const WHOLE_SERVER = "projects/-";

const HOUR_MS = 3_600_000;

/** Ranges of time before now, by their name in addresses. */
export const RANGES = {
  hour: { label: "Last hour", ms: HOUR_MS },
  day: { label: "Last 24 hours", ms: 24 * HOUR_MS },
  week: { label: "Last 7 days", ms: 7 * 24 * HOUR_MS },
  month: { label: "Last 30 days", ms: 30 * 24 * HOUR_MS },
  any: { label: "Any time", ms: 0 },
  days: { label: "Custom range", ms: 0 },
} as const;
export type RangeName = keyof typeof RANGES;

/** Which entries of the audit log are shown; an absent part matches each. */
export interface AuditSearch {
  /** `projects/{project}`, or `projects/-` for the whole server. */
  readonly project?: string | undefined;
  /** Who called, as members of policies are written. */
  readonly principal?: string | undefined;
  /** Full name of a method, or the last part of it. */
  readonly method?: string | undefined;
  /** A resource, with everything below it. */
  readonly resource?: string | undefined;
  /** Default: the last seven days. */
  readonly range?: RangeName | undefined;
  /** First and last day of a custom range (`2026-11-20`), in the browser's time zone. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads the search out of the address of the page; what it does not know is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (key: keyof AuditSearch) => textInAddress(search[key])?.trim() || undefined;
  const range = String(search.range ?? "");
  return {
    project: text("project"),
    principal: text("principal"),
    method: text("method"),
    resource: text("resource"),
    range: Object.hasOwn(RANGES, range) ? (range as RangeName) : undefined,
    from: text("from"),
    to: text("to"),
  };
}

/** The bounds of a search in time, milliseconds since 1970: from the first on, before the second. */
export function boundsOf({ range = "week", from, to }: AuditSearch, now: number): readonly [number?, number?] {
  if (range !== "days") return RANGES[range].ms > 0 ? [now - RANGES[range].ms] : [];
  return [from ? startOfDay(from, 0) : undefined, to ? startOfDay(to, 1) : undefined];
}

/** Midnight of a day and so many days more, in the browser's time zone; undefined for what is no day. */
function startOfDay(day: string, more: number): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const time = new Date(year, month - 1, date + more).getTime();
  return Number.isNaN(time) ? undefined : time;
}
