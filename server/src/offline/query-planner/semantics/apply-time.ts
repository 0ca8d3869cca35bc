import type { Constituent, DayPart } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { isDone } from "../lexicon/events.ts";
import { isTemporal } from "../lexicon/meaning.ts";
import { timeColumns } from "../lexicon/names.ts";
import { add, isoDay, type Period } from "../time/period.ts";
import { addGrain, completeRanking } from "./grouping.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** Constituents of time: periods, and units and parts of the calendar to group by. */
type Time = Extract<Constituent, { kind: "period" | "grain" | "part" | "unit" | "days" | "moving" }>;

/** Sets a period, or groups by a unit of time. */
export function applyTime(parse: SemanticParse, time: Time): void {
  switch (time.kind) {
    case "period":
      refuseGroupOfPeriod(parse, time.period);
      refuseOtherTime(parse, time);
      applyPeriod(parse, time.period);
      return;
    case "grain":
      addGrain(parse, time.grain);
      return;
    case "part":
      applyDayPart(parse, time.part);
      return;
    case "unit":
      applyUnit(parse, time);
      return;
    case "days":
      applyDays(parse, time.days);
      return;
    case "moving":
      parse.draft.moving = { count: time.count, grain: time.grain };
      addGrain(parse, time.grain);
      return;
  }
}

/** The second of two periods is compared with the first, unless the two are ends of one; a third replaces the first, with a warning. */
function applyPeriod({ draft, warnings, refusals, cues }: SemanticParse, period: Period): void {
  if (cues.versus && draft.period && isSame(draft.period, period)) {
    refusals.push(comparedWithItself(period));
    return;
  }
  const whole = draft.period && !draft.otherPeriod ? between(draft.period, period) : undefined;
  if (whole) {
    draft.period = whole;
    return;
  }
  if (draft.otherPeriod) warnings.push(`Only two times can be compared; ${draft.otherPeriod.label} was left out.`);
  if (draft.period) draft.otherPeriod = draft.period;
  draft.period = period;
}

/** "revenue for each of the last 6 months": nothing says what the rows are, and one total is not what is asked for. */
function refuseGroupOfPeriod({ pending, refusals }: SemanticParse, { label }: Period): void {
  if (!pending.group) return;
  refusals.push(`I do not know by what to split ${label}. Name a unit, as in “by month ${label}”.`);
}

/** "joined in 2024 and ordered in 2026": each is a time of another column, and only one can be applied. */
function refuseOtherTime({ constituents, draft, refusals }: SemanticParse, time: Time): void {
  const at = constituents.indexOf(time);
  const before = constituents.slice(0, at).findLastIndex(({ kind }) => kind === "period");
  if (before < 0 || !draft.period) return;
  const known = new Set(constituents.slice(0, before).flatMap(eventsOf));
  if (
    constituents
      .slice(before, at)
      .flatMap(eventsOf)
      .every((event) => known.has(event))
  )
    return;
  refusals.push(
    `I apply one time only, and not both ${draft.period.label} and that of what follows. Ask for each of them.`,
  );
}

/** What a word says that happens: a column of times, or "bought". */
function eventsOf(constituent: Constituent): readonly unknown[] {
  if (constituent.kind !== "ref") return constituent.kind === "event" ? ["event"] : [];
  return constituent.meanings.flatMap((meaning) =>
    meaning.kind === "column" && isTemporal(meaning.column) ? [meaning.column] : [],
  );
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to;
}

/** "last 7 days versus previous 7 days": both are the days up to yesterday. */
function comparedWithItself({ from, to, label }: Period): string {
  const both = `Both times that you compare are the same, ${label}`;
  if (!from || !to) return `${both}. Name the other by its days.`;
  return `${both} (${daysOf(from, to)}). Name the other by its days, as in “${daysOf(beginBefore(from, to), from)}”.`;
}

/** The day on which as many months begin before the period, or as many days. */
function beginBefore(from: string, to: string): string {
  const [begin, end] = [new Date(from), new Date(to)];
  const isMonths = begin.getUTCDate() === 1 && end.getUTCDate() === 1;
  const months = 12 * (end.getUTCFullYear() - begin.getUTCFullYear()) + end.getUTCMonth() - begin.getUTCMonth();
  const days = Math.round((end.getTime() - begin.getTime()) / 86_400_000);
  return isoDay(isMonths ? add(begin, -months, "month") : add(begin, -days, "day"));
}

function daysOf(from: string, to: string): string {
  return `from ${from} to ${isoDay(add(new Date(to), -1, "day"))}`;
}

/** "after March 2025 and before June 2025": one begins the period and the other ends it. */
function between(one: Period, other: Period): Period | undefined {
  const [begin, end] = one.from && !one.to ? [one, other] : [other, one];
  if (!begin.from || begin.to || end.from || !end.to || begin.from >= end.to) return undefined;
  return { from: begin.from, to: end.to, label: `${one.label} and ${other.label}` };
}

/** "which month", "busiest day": the unit of the calendar is the dimension. */
function applyUnit(parse: SemanticParse, { unit, plural }: Extract<Constituent, { kind: "unit" }>): void {
  const { draft, unknown } = parse;
  const { group, which, top } = parse.pending;
  if (!group && !which && !top && !draft.top) {
    unknown.push(plural ? `${unit}s` : unit);
    return;
  }
  addGrain(parse, unit);
  if (plural) completeRanking(parse, true);
  parse.pending = { ...nothingPending(), top };
}

const WORKING_WEEK = [1, 2, 3, 4, 5];

/** "on weekends" chooses rows, "weekends versus weekdays" and "by weekend" split them; "not on Mondays" are the other days. */
function applyDays(parse: SemanticParse, days: readonly number[]): void {
  const { draft, pending, cues, refusals } = parse;
  if (pending.group && cues.per)
    refusals.push(
      "I do not average over weekends or days of the week. Say “by weekend” or “by weekday” to split by them.",
    );
  if (pending.group || comparesDays(parse)) {
    if (days.length === 1) refusals.push("I split rows by weekday, or by weekend; name one of them.");
    if (!draft.dimensions.some((one) => one.kind === "part")) applyDayPart(parse, "weekend");
    return;
  }
  const meant = pending.negated ? [...WORKING_WEEK, 6, 7].filter((day) => !days.includes(day)) : days;
  draft.days = [...new Set([...(draft.days ?? []), ...meant])].toSorted((left, right) => left - right);
  pending.negated = false;
  cues.openNegation = false;
}

/** "weekends and weekdays": both kinds of days. */
function comparesDays({ constituents }: SemanticParse): boolean {
  const weekend = constituents.some((one) => one.kind === "days" && one.days.includes(6));
  const week = constituents.some(
    (one) => (one.kind === "part" && one.part === "weekday") || (one.kind === "days" && one.days.includes(1)),
  );
  return weekend && week;
}

/** "by weekday", "by hour". */
function applyDayPart(parse: SemanticParse, named: DayPart): void {
  const part = named === "weekday" && comparesDays(parse) ? "weekend" : named;
  const { top } = parse.pending;
  if (parse.draft.dimensions.some((one) => one.kind === "part" && one.part === part)) return;
  parse.draft.dimensions.push({ kind: "part", part });
  parse.pending = { ...nothingPending(), top };
}

/** "paid invoices", "resolved in June": rows that have the time; all of them have the one with which they begin. */
function isOfSomeRows(text: string, { table, column }: ColumnRef): boolean {
  return isDone(text) && timeColumns(table)[0] !== column;
}

/** "by order date", "shipped in June": the column that periods and units are about. */
export function applyTimeColumn(parse: SemanticParse, ref: ColumnRef, at: number): void {
  parse.draft.timeColumn = ref;
  const own = parse.constituents[at];
  if (own?.kind === "ref" && isOfSomeRows(own.text, ref))
    parse.draft.filters.push({ kind: "empty", ...ref, negated: true });
  if (parse.pending.group) parse.cues.overTime = true;
  parse.pending = { ...parse.pending, group: false };
}
