import type { JsonValue } from "#base";
import type { ResultSet } from "#warehouse";
import { parseNumbers, type WrittenNumber } from "./parse-numbers.ts";

/** Numbers of the rows, by the label that a sentence may name them with. */
export interface LabelledNumbers {
  /** Labels in lower case; those of several rows have the numbers of all of them. */
  readonly byLabel: ReadonlyMap<string, readonly number[]>;
  /** Every number that has a label. */
  readonly all: readonly number[];
}

/** Rows of a result that are looked at. */
const MAX_ROWS = 1_000;
const MAX_LABEL = 100;
const NUMERIC = new Set(["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);

/** The labels of rows with their numbers: cells that are no numbers name the row they are in; of a single row, columns name their cell. */
export function labelledNumbers(results: readonly ResultSet[]): LabelledNumbers {
  const byLabel = new Map<string, number[]>();
  const all: number[] = [];
  for (const { columns, rows } of results) {
    const isLabel = columns.map(({ type }) => !NUMERIC.has(type));
    const add = (label: JsonValue | undefined, numbers: readonly number[]) => {
      const key = typeof label === "string" ? label.trim().toLowerCase() : "";
      if (key.length < 2 || key.length > MAX_LABEL || numbers.length === 0) return;
      byLabel.set(key, [...(byLabel.get(key) ?? []), ...numbers]);
      all.push(...numbers);
    };
    if (rows.length === 1) {
      for (const [at, { name }] of columns.entries()) add(name.replaceAll("_", " "), numbersIn([rows[0]?.[at]]));
      continue;
    }
    for (const row of rows.slice(0, MAX_ROWS)) {
      const numbers = numbersIn(row.filter((_, at) => !isLabel[at]));
      for (const [at, cell] of row.entries()) if (isLabel[at]) add(cell, numbers);
    }
  }
  return { byLabel, all };
}

function numbersIn(cells: readonly (JsonValue | undefined)[]): readonly number[] {
  return cells.flatMap((cell) => {
    const number = typeof cell === "string" && cell.trim() !== "" ? Number(cell) : Number.NaN;
    return Number.isFinite(number) ? [number] : [];
  });
}

/** A label or a number in a sentence, by its place. */
interface Placed<Thing> {
  readonly at: number;
  readonly thing: Thing;
}

/**
 * Whether the numbers of a sentence stand beside the labels of their rows: "Leeds 3, York 5" where Leeds has 5 and York 3 is wrong, though
 * both numbers are in the rows. Numbers without a label in the rows, and sentences without one, are left to the other checks.
 */
export function standWithTheirLabels(sentence: string, { byLabel, all }: LabelledNumbers): boolean {
  const labels = labelsIn(sentence, byLabel);
  if (labels.length === 0) return true;
  const blanked = labels.reduce((text, { at, thing }) => blank(text, at, thing.length), sentence);
  const numbers = placedNumbers(blanked).filter(({ thing }) => all.some((fact) => isClose(thing, fact)));
  if (numbers.length === 0) return true;
  const fits = ({ thing: number }: Placed<WrittenNumber>, label: Placed<string> | undefined) =>
    label === undefined || (byLabel.get(label.thing) ?? []).some((fact) => isClose(number, fact));
  const before = (at: number) => labels.findLast((label) => label.at < at) ?? labels[0];
  const behind = (at: number) => labels.find((label) => label.at > at) ?? labels.at(-1);
  return (
    numbers.every((number) => fits(number, before(number.at))) ||
    numbers.every((number) => fits(number, behind(number.at))) ||
    // "York and Leeds had 3 and 5, respectively."
    (numbers.length === labels.length && numbers.every((number, place) => fits(number, labels[place])))
  );
}

/** The labels that a sentence names, in its order; a longer one wins over one inside it. */
function labelsIn(sentence: string, byLabel: LabelledNumbers["byLabel"]): readonly Placed<string>[] {
  let text = sentence.toLowerCase();
  const found: Placed<string>[] = [];
  for (const label of [...byLabel.keys()].toSorted((one, other) => other.length - one.length)) {
    for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
      if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") || /[\p{L}\p{N}]/u.test(text[at + label.length] ?? "")) continue;
      found.push({ at, thing: label });
      text = blank(text, at, label.length);
    }
  }
  return found.toSorted((one, other) => one.at - other.at);
}

function blank(text: string, at: number, length: number): string {
  return text.slice(0, at) + "\u0000".repeat(length) + text.slice(at + length);
}

function placedNumbers(text: string): readonly Placed<WrittenNumber>[] {
  return [
    ...text.matchAll(/[-−]?[£$€]?\s?\d[\d.,'’\u00a0\u202f]*\d(?:\s?(?:k|m|bn|thousand|million|billion)\b)?|[-−]?\d/giu),
  ].flatMap(({ 0: written, index }) => parseNumbers(written).map((thing) => ({ at: index, thing })));
}

/** The sign may be in the words. Percentages and counts are checked elsewhere. */
function isClose({ value, tolerance }: WrittenNumber, fact: number): boolean {
  return Math.abs(Math.abs(value) - Math.abs(fact)) <= tolerance;
}
