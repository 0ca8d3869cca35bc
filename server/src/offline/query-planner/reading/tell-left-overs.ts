import { usualFact } from "../existence/fact.ts";
import { spokenName, spokenTable } from "../lexicon/table-words.ts";
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
  if (pending.aggregate && pending.aggregate in LEFT) unknown.push(LEFT[pending.aggregate] ?? "");
  tellSoldOnce(reading);
  tellShareOfChosen(reading);
}

/** Words for a number that found none; a "total" or "different" behind all else says nothing. */
const LEFT: Readonly<Record<string, string>> = { median: "median", min: "minimum", max: "maximum" };

/** "total cost of goods sold": the column is of the goods, not of each sale. */
function tellSoldOnce({ draft: { measures }, said, model, warnings }: Reading): void {
  const [measure] = measures;
  if (!said.event || measure?.kind !== "aggregate" || measure.fn !== "sum") return;
  const { table, column } = measure;
  if (!usualFact(table, model)) return;
  warnings.push(
    `${spokenName(table, column)} is added up once for each of ${spokenTable(table)}, not for each that was sold.`,
  );
}

function tellShareOfChosen({ draft: { share, filters, dimensions }, warnings }: Reading): void {
  if (!share || filters.length === 0 || dimensions.length === 0) return;
  const names = [...new Set(filters.map(({ table, column }) => spokenName(table, column)))].join(" and ");
  warnings.push(`Each share is of the total of what passes the choice of ${names}.`);
}
