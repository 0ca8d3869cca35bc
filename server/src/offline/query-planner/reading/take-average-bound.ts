import { isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { addEntity } from "./dimensions.ts";
import { nothingPending, type Reading } from "./reading.ts";

/** "products with a price above average", "customers with more than average revenue". */
export function takeAverageBound(reading: Reading, comparison: ">" | "<"): void {
  const { last } = reading;
  if (last?.kind === "column" && isNumeric(last.column)) boundColumn(reading, last, comparison);
  else boundGroups(reading, comparison);
  reading.pending = nothingPending();
}

function boundColumn(reading: Reading, ref: Extract<Meaning, { kind: "column" }>, comparison: ">" | "<"): void {
  const { measures, filters } = reading.draft;
  const measured = measures.at(-1);
  if (measured?.kind === "aggregate" && measured.column === ref.column) measures.pop();
  filters.push({ kind: "average", table: ref.table, column: ref.column, comparison });
  reading.averaged = ref;
}

function boundGroups(reading: Reading, comparison: ">" | "<"): void {
  const { last, subjects } = reading;
  for (const table of last?.kind === "table" ? [last.table] : subjects) addEntity(reading, table);
  reading.boundAverage = comparison;
}
