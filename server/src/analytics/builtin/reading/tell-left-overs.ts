import { spokenName } from "../lexicon/table-words.ts";
import type { Reading } from "./reading.ts";

/** Words that were read but found no place: a wrong answer would look right without saying so. */
export function tellLeftOvers(reading: Reading): void {
  const { pending, said, unknown, warnings } = reading;
  if (said.openNegation) unknown.push("not");
  if (said.openAverage)
    warnings.push(
      "I do not know per what to average; the total is shown. Say for example “average revenue per order”.",
    );
  if (pending.aggregate === "avg" && !said.openAverage) unknown.push("average");
  tellShareOfChosen(reading);
}

function tellShareOfChosen({ draft: { share, filters, dimensions }, warnings }: Reading): void {
  if (!share || filters.length === 0 || dimensions.length === 0) return;
  const names = [...new Set(filters.map(({ table, column }) => spokenName(table, column)))].join(" and ");
  warnings.push(`Each share is of the total of what passes the choice of ${names}.`);
}
