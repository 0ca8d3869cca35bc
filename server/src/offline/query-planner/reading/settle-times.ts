import type { Grain, Period } from "../time/period.ts";
import { addGrain } from "./dimensions.ts";
import type { Draft, Reading } from "./reading.ts";

/** Growth has a row for each unit of time: its largest is not the growth over all of them. */
export function settleGrowth({ draft, warnings }: Reading): void {
  if (!draft.growth || !draft.top) return;
  delete draft.top;
  warnings.push("I do not rank by growth; all are shown in the order of time.");
}

/** A question that follows time, and names no unit of the calendar, gets the one that fits its periods. */
export function settleTimes(reading: Reading): void {
  const { draft, said } = reading;
  if (draft.dimensions.some(({ kind }) => kind === "time")) return;
  const grain = fittingGrain(draft, said.overTime);
  if (grain) addGrain(reading, grain);
}

function fittingGrain({ period, otherPeriod, growth, running }: Draft, overTime: boolean): Grain | undefined {
  if (otherPeriod && period) return grainOf(period);
  if (growth && period?.grain) return period.grain;
  if (!overTime && !growth && !running) return undefined;
  return growth === "year" || spansYears(period) ? "year" : "month";
}

/** The unit of the calendar that a period fills. */
function grainOf({ from, to }: Period): Grain {
  const days = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 86_400_000;
  return days >= 360 ? "year" : days >= 89 ? "quarter" : days >= 28 ? "month" : days >= 7 ? "week" : "day";
}

function spansYears(period: Period | undefined): boolean {
  return period !== undefined && /^from \d{4} to \d{4}$/.test(period.label);
}
