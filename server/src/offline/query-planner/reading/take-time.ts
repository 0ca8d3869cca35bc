import type { DayPart, Item } from "../parse/item.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import type { Period } from "../time/period.ts";
import { addGrain } from "./dimensions.ts";
import { nothingPending, type Reading } from "./reading.ts";
import { completeTop } from "./take-top.ts";

/** Times that are named, and units and parts of the calendar to group by. */
export type Time = Extract<Item, { kind: "period" | "grain" | "part" | "unit" }>;

/** Notes a time, or groups by it. */
export function takeTime(reading: Reading, time: Time): void {
  switch (time.kind) {
    case "period":
      takePeriod(reading, time.period);
      return;
    case "grain":
      addGrain(reading, time.grain);
      return;
    case "part":
      takePart(reading, time.part);
      return;
    case "unit":
      takeUnit(reading, time);
      return;
  }
}

/** The second of two periods is compared with the first; a third takes the place of the first, which is told. */
function takePeriod({ draft, warnings }: Reading, period: Period): void {
  if (draft.otherPeriod) warnings.push(`Only two times can be compared; ${draft.otherPeriod.label} was left out.`);
  if (draft.period) draft.otherPeriod = draft.period;
  draft.period = period;
}

/** "which month", "busiest day": the units of the calendar are what is asked for. */
function takeUnit(reading: Reading, { unit, plural }: Extract<Item, { kind: "unit" }>): void {
  const { draft, unknown } = reading;
  const { group, which, top } = reading.pending;
  if (!group && !which && !top && !draft.top) {
    unknown.push(plural ? `${unit}s` : unit);
    return;
  }
  addGrain(reading, unit);
  if (plural) completeTop(reading, true);
  reading.pending = { ...nothingPending(), top };
}

/** "by weekday", "by hour". */
function takePart(reading: Reading, part: DayPart): void {
  const { top } = reading.pending;
  reading.draft.dimensions.push({ kind: "part", part });
  reading.pending = { ...nothingPending(), top };
}

/** "by order date", "shipped in June": the column that periods and units are about. */
export function takeTimeColumn(reading: Reading, ref: ColumnRef): void {
  reading.draft.timeColumn = ref;
  if (reading.pending.group) reading.said.overTime = true;
  reading.pending = { ...reading.pending, group: false };
}
