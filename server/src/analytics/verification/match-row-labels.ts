import type { WrittenNumber } from "./parse-numbers.ts";
import type { LabelledRow, PlacedLabel, RowLabels } from "./row-labels.ts";
import { percentsOfRow, sharesOfRow } from "./shares.ts";

/**
 * Whether the numbers of a sentence stand beside the labels of their rows: "Leeds 3, York 5" where Leeds has 5 and York 3 is wrong, though
 * both numbers are in the rows. So are percentages that belong to another row. Numbers without a label in the rows, and sentences without
 * one, are left to the other checks.
 */
export function matchRowLabels(
  written: readonly WrittenNumber[],
  labels: readonly PlacedLabel[],
  rows: RowLabels,
): boolean {
  if (matchLabels(written, labels, rows)) return true;
  // "web 120" of a row of another channel, where a column is called web, too.
  const certain = labels.filter(({ isName }) => !isName);
  return certain.length < labels.length && matchLabels(written, certain, rows);
}

function matchLabels(written: readonly WrittenNumber[], labels: readonly PlacedLabel[], { rows }: RowLabels): boolean {
  if (labels.length === 0) return true;
  const named = labels.flatMap((label) => label.rows);
  const isFact = (number: WrittenNumber) =>
    rows.some((row) => isOf(row, number, percentsOfRow)) || named.some((row) => isOf(row, number));
  const isInLabel = ({ at }: WrittenNumber) => labels.some((label) => label.at <= at && at < label.end);
  const numbers = written
    .filter((number) => !number.counting && !isInLabel(number) && isFact(number))
    .toSorted((one, other) => one.at - other.at);
  // "12 of 100 were returned": of a single row, columns are the labels, and not each is named.
  if (numbers.length === 0 || (rows.length === 1 && numbers.length > labels.length)) return true;
  const fits = (number: WrittenNumber, label: PlacedLabel | undefined) =>
    label === undefined || label.rows.some((row) => isOf(row, number));
  const before = (at: number) => labels.findLast((label) => label.at < at) ?? labels[0];
  const behind = (at: number) => labels.find((label) => label.at > at) ?? labels.at(-1);
  return (
    numbers.every((number) => fits(number, before(number.at))) ||
    numbers.every((number) => fits(number, behind(number.at))) ||
    // "York and Leeds had 3 and 5, respectively."
    (numbers.length === labels.length && numbers.every((number, place) => fits(number, labels[place])))
  );
}

/** Whether a row has a number. The sign may be in the words. A percentage is compared with `percents` of the row. */
export function isOf(row: LabelledRow, { value, tolerance, percent }: WrittenNumber, percents = sharesOfRow): boolean {
  const facts = percent ? percents(row) : row.cells.flatMap((cell) => cell ?? []);
  return facts.some((fact) => Math.abs(Math.abs(value) - Math.abs(fact)) <= tolerance);
}
