import { addColumn } from "./dimensions.ts";
import type { Reading } from "./reading.ts";
import { settleAverage, settleBounds } from "./settle-bounds.ts";
import { settleEvent } from "./settle-event.ts";
import { rankByFirstMeasure, settleRanking } from "./settle-ranking.ts";
import { settleGrowth, settleTimes } from "./settle-times.ts";
import { settlePerson, settleSeveral, settleSingular } from "./settle-which.ts";
import { tellLeftOvers } from "./tell-left-overs.ts";

/** What only the whole question can say. Each step relies on those before it. */
export function settle(reading: Reading): void {
  settleBounds(reading);
  settleOwnRows(reading);
  compareValues(reading);
  settleMoney(reading);
  settleSeveral(reading);
  settlePerson(reading);
  settleRanking(reading);
  settleAverage(reading);
  settleGrowth(reading);
  settleEvent(reading);
  tellLeftOvers(reading);
  settleTimes(reading);
  settleSingular(reading);
  countSubject(reading);
}

/** "average quantity per line by ship mode": a mean is per row anyway, and the other groups are those that are asked for. */
function settleOwnRows({ draft, said }: Reading): void {
  const { measures, dimensions } = draft;
  const [measure] = measures;
  if (!said.averagedPer || measures.length !== 1 || measure?.kind !== "aggregate" || measure.fn !== "avg") return;
  const others = dimensions.filter((one) => one.kind !== "entity" || one.table !== measure.table);
  if (others.length > 0) draft.dimensions = others;
}

/** "compare revenue in Leeds and York": one row for each of the values. */
function compareValues(reading: Reading): void {
  if (!reading.said.versus) return;
  for (const filter of reading.draft.filters) {
    if (filter.kind === "values" && filter.values.length > 1 && !filter.negated) addColumn(reading, filter);
  }
}

/** "how much did customers in Dublin spend": money, not how many they are. */
function settleMoney(reading: Reading): void {
  const { draft, said } = reading;
  if (!said.money || draft.measures.length === 0 || !draft.measures.every(({ kind }) => kind === "rows")) return;
  draft.measures = [];
  rankByFirstMeasure(reading, "an amount of what");
}

/** A count that found nothing behind it counts what the question is about. */
function countSubject({ draft, pending, subjects }: Reading): void {
  const [table] = subjects;
  if (draft.measures.length === 0 && pending.count && table) draft.measures.push({ kind: "rows", table });
}
