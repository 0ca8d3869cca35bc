import { usualFact } from "../existence/fact.ts";
import { isOfPeople, spokenTable } from "../lexicon/table-words.ts";
import { isGroupedBy } from "./dimensions.ts";
import type { Reading } from "./reading.ts";

/** "products sold in 2026": the time is that of the sale, and what was never sold does not count. */
export function settleEvent({ draft, model, said: { event, distinct }, warnings }: Reading): void {
  const [measure] = draft.measures;
  if (measure?.kind !== "rows" || (!event && !distinct)) return;
  const fact = usualFact(measure.table, model);
  if (!fact || (!event && !draft.period && draft.dimensions.length === 0)) return;
  if (draft.timeColumn?.table === measure.table) return;
  if (!isGroupedBy(draft, fact)) draft.through = fact;
  if (draft.through && event && !distinct && !isOfPeople(measure.table)) {
    warnings.push(`Different ${spokenTable(measure.table)} were counted, not pieces.`);
  }
}
