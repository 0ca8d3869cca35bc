import { addEntity } from "./dimensions.ts";
import type { Reading } from "./reading.ts";

/** Bounds of groups get what they bound, and the groups that they are for. */
export function settleBounds(reading: Reading): void {
  boundLastMeasure(reading);
  boundEachSubject(reading);
}

/** "customers with more than 5 orders": what is bounded was read after the bound. */
function boundLastMeasure({ bound, draft }: Reading): void {
  const measure = draft.measures.at(-1);
  if (!bound || !measure) return;
  draft.having.push({ measure, comparison: bound.comparison, value: bound.value });
  if (draft.countGroups) draft.measures = [];
}

/** "customers with revenue over 5000": the bound is for each of them. */
function boundEachSubject(reading: Reading): void {
  const { draft, subjects, unknown } = reading;
  const { having, dimensions, countGroups } = draft;
  if (having.length === 0 || dimensions.length > 0 || countGroups) return;
  const table = subjects.at(-1);
  if (table) addEntity(reading, table);
  else {
    unknown.push(...having.map(({ comparison, value }) => `${comparison} ${value}`));
    draft.having = [];
  }
}

/** "above average" needs a number, and groups whose mean it is. */
export function settleAverage({ boundAverage, draft, unknown }: Reading): void {
  if (!boundAverage) return;
  if (draft.measures.length === 0 || draft.dimensions.length === 0) unknown.push("average");
  else draft.average = boundAverage;
}
