import type { Constituent, DayPart } from "../constituents/constituent.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import type { Period } from "../time/period.ts";
import { addGrain, completeRanking } from "./grouping.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** Constituents of time: periods, and units and parts of the calendar to group by. */
type Time = Extract<Constituent, { kind: "period" | "grain" | "part" | "unit" }>;

/** Sets a period, or groups by a unit of time. */
export function applyTime(parse: SemanticParse, time: Time): void {
  switch (time.kind) {
    case "period":
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
  }
}

/** The second of two periods is compared with the first, unless the two are ends of one; a third replaces the first, with a warning. */
function applyPeriod({ draft, warnings }: SemanticParse, period: Period): void {
  const whole = draft.period && !draft.otherPeriod ? between(draft.period, period) : undefined;
  if (whole) {
    draft.period = whole;
    return;
  }
  if (draft.otherPeriod) warnings.push(`Only two times can be compared; ${draft.otherPeriod.label} was left out.`);
  if (draft.period) draft.otherPeriod = draft.period;
  draft.period = period;
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

/** "by weekday", "by hour". */
function applyDayPart(parse: SemanticParse, part: DayPart): void {
  const { top } = parse.pending;
  parse.draft.dimensions.push({ kind: "part", part });
  parse.pending = { ...nothingPending(), top };
}

/** "by order date", "shipped in June": the column that periods and units are about. */
export function applyTimeColumn(parse: SemanticParse, ref: ColumnRef): void {
  parse.draft.timeColumn = ref;
  if (parse.pending.group) parse.cues.overTime = true;
  parse.pending = { ...parse.pending, group: false };
}
