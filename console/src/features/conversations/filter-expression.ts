import type { SearchCriteria, TimeChoice } from "./search-criteria.ts";

/** A span of time in milliseconds since the epoch; an absent end is open. */
interface TimeSpan {
  readonly from?: number;
  /** Exclusive. */
  readonly until?: number;
}

/** The filter of ListConversations (AIP-160) for the criteria; "" matches everything. */
export function filterExpression(criteria: SearchCriteria, now: Date): string {
  const { from, until } = timeSpan(criteria, now);
  return [
    from !== undefined && `start_time >= ${quoted(new Date(from).toISOString())}`,
    until !== undefined && `start_time < ${quoted(new Date(until).toISOString())}`,
    criteria.transcript.trim() && `ces_transcript.search(${quoted(criteria.transcript.trim())})`,
    criteria.session.trim() && `customer_conversation_id = ${quoted(criteria.session.trim())}`,
    criteria.outcome !== "any" && `outcome = ${criteria.outcome.toUpperCase()}`,
    criteria.filter.trim() && bracketed(criteria.filter.trim()),
  ]
    .filter((term): term is string => Boolean(term))
    .join(" AND ");
}

/** The span that is meant by a choice, in the days of this computer's time zone. */
function timeSpan({ time, from, until }: Pick<SearchCriteria, "time" | "from" | "until">, now: Date): TimeSpan {
  if (time !== "custom") return SPANS[time](now);
  const [first, last] = [startOf(from), startOf(until)];
  return { from: first?.getTime(), until: last && day(last, 1) };
}

const MINUTE_MS = 60_000;

/** Minutes, not moments: the same choice stays the same filter, and the same page of results, for a while. */
const SPANS: Readonly<Record<Exclude<TimeChoice, "custom">, (now: Date) => TimeSpan>> = {
  any: () => ({}),
  hour: (now) => ({ from: Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS }),
  today: (now) => ({ from: day(now, 0) }),
  yesterday: (now) => ({ from: day(now, -1), until: day(now, 0) }),
  week: (now) => ({ from: day(now, -6) }),
  month: (now) => ({ from: day(now, -29) }),
};

/** Midnight, some days from the day of a moment. */
function day(moment: Date, days: number): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days).getTime();
}

function startOf(text: string): Date | undefined {
  return text === "" ? undefined : new Date(`${text}T00:00:00`);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Terms joined by OR or AND stay together beside others. */
function bracketed(terms: string): string {
  return /\s/.test(terms) ? `(${terms})` : terms;
}
