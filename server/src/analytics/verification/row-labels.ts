import type { JsonValue } from "#base";
import type { Column, ResultSet } from "#warehouse";
import { extractDates, isDay, type WrittenDate } from "./parse-dates.ts";

/** A row of a result whose numbers have a name. */
export interface LabelledRow {
  /** Cells that are numbers, by the place of their column. */
  readonly cells: readonly (number | undefined)[];
  readonly table: LabelledTable;
}

/** The columns of a result, of which some are labels. */
interface LabelledTable {
  readonly names: readonly string[];
  /** Sums of the columns over all rows, where none is negative; absent where rows are missing, so that no sum is the whole. */
  readonly totals?: readonly (number | undefined)[];
}

/** Rows by the labels and days that a sentence may name them with. */
export interface RowLabels {
  /** Labels in lower case. */
  readonly byLabel: ReadonlyMap<string, readonly LabelledRow[]>;
  /** Days and months as ISO dates. */
  readonly byDay: ReadonlyMap<string, readonly LabelledRow[]>;
  readonly rows: readonly LabelledRow[];
  /** Names of the columns of several rows, in lower case: "store_id" and "store id". */
  readonly names: ReadonlySet<string>;
}

/** Rows of a result that are looked at. */
const MAX_ROWS = 1_000;
const MAX_LABEL = 100;
const NUMERIC = new Set(["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);

/**
 * The labels of rows: cells that are no numbers, and years, name the row they are in; of a single row, columns name their cell.
 * `isWhole`: whether the results have every row that there is, so that sums of columns are totals.
 */
export function rowLabels(results: readonly ResultSet[], isWhole: boolean): RowLabels {
  const byLabel = new Map<string, LabelledRow[]>();
  const byDay = new Map<string, LabelledRow[]>();
  const rows: LabelledRow[] = [];
  const names = new Set(results.filter((result) => result.rows.length > 1).flatMap(namesOf));
  for (const result of results) {
    const table = tableOf(result, isWhole);
    const label = (text: string, row: LabelledRow) => {
      const key = text.trim().toLowerCase();
      if (key.length >= 2 && key.length <= MAX_LABEL) add(byLabel, key, row);
    };
    for (const cells of result.rows.slice(0, MAX_ROWS)) {
      const isLabel = result.columns.map((column, at) => isLabelOf(column, cells[at]));
      const numbers = cells.map((cell, at) => (isLabel[at] && result.rows.length > 1 ? undefined : numberOf(cell)));
      rows.push({ cells: numbers, table });
      if (result.rows.length === 1) {
        for (const [at, name] of table.names.entries())
          label(name.replaceAll("_", " "), {
            cells: numbers.map((cell, place) => (place === at ? cell : undefined)),
            table,
          });
        continue;
      }
      const row = { cells: numbers, table };
      for (const [at, cell] of cells.entries()) {
        if (!isLabel[at] || cell === null || typeof cell === "object") continue;
        label(String(cell), row);
        for (const day of daysOf(String(cell))) add(byDay, day, row);
      }
    }
  }
  return { byLabel, byDay, rows, names };
}

function namesOf({ columns }: ResultSet): readonly string[] {
  return columns.map(({ name }) => name.toLowerCase()).flatMap((name) => [name, name.replaceAll("_", " ")]);
}

function tableOf({ columns, rows, truncated }: ResultSet, isWhole: boolean): LabelledTable {
  const names = columns.map(({ name }) => name);
  if (!isWhole || truncated || rows.length < 2) return { names };
  const totals = columns.map(({ type }, at) => {
    if (!NUMERIC.has(type)) return undefined;
    const cells = rows.flatMap((row) => numberOf(row[at]) ?? []);
    const isSum = cells.length > 1 && cells.every((cell) => cell >= 0);
    return isSum ? cells.reduce((sum, cell) => sum + cell, 0) : undefined;
  });
  return { names, totals };
}

function isLabelOf({ name, type }: Column, cell: JsonValue | undefined): boolean {
  return !NUMERIC.has(type) || (/(?:^|_)year(?:$|_)/i.test(name) && /^[12]\d{3}$/.test(String(cell)));
}

function numberOf(cell: JsonValue | undefined): number | undefined {
  const number = typeof cell === "string" && cell.trim() !== "" ? Number(cell) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function daysOf(cell: string): readonly string[] {
  if (cell.length > MAX_LABEL) return [];
  return extractDates(cell).dates.flatMap(({ readings }) => (readings.length === 1 ? readings : []));
}

function add(map: Map<string, LabelledRow[]>, key: string, row: LabelledRow): void {
  const rows = map.get(key);
  if (rows) rows.push(row);
  else map.set(key, [row]);
}

/** A label or a date in a sentence, and the rows that it names. */
export interface PlacedLabel {
  readonly at: number;
  readonly end: number;
  readonly rows: readonly LabelledRow[];
  /** Whether a column has the same name, which may be meant. */
  readonly isName?: boolean;
}

/**
 * The labels that a sentence names, in its order; a longer one wins over one inside it, and so does the name of a column: "store id" names no
 * row of the channel Store. `dates`: those of the sentence.
 */
export function labelsIn(
  sentence: string,
  dates: readonly WrittenDate[],
  { byLabel, byDay, names }: RowLabels,
): readonly PlacedLabel[] {
  const found: PlacedLabel[] = dates.flatMap((date) => {
    const rows = [...byDay].filter(([day]) => isDay(day, date)).flatMap(([, named]) => named);
    return rows.length > 0 ? [{ at: date.at, end: date.at + date.length, rows }] : [];
  });
  let text = found.reduce((rest, { at, end }) => blank(rest, at, end), sentence.toLowerCase());
  const phrases = [...new Set([...byLabel.keys(), ...names])].toSorted((one, other) => other.length - one.length);
  for (const phrase of phrases) {
    const rows = byLabel.get(phrase);
    for (const { at, end } of placesOf(phrase, text)) {
      if (rows) found.push({ at, end, rows, isName: names.has(phrase) });
      text = blank(text, at, end);
    }
  }
  return found.toSorted((one, other) => one.at - other.at);
}

/** Where a phrase stands in a text as whole words. Both are in lower case. */
export function placesOf(phrase: string, text: string): readonly { readonly at: number; readonly end: number }[] {
  const places: { at: number; end: number }[] = [];
  for (let at = phrase === "" ? -1 : text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") || /[\p{L}\p{N}]/u.test(text[end] ?? "")) continue;
    places.push({ at, end });
  }
  return places;
}

function blank(text: string, at: number, end: number): string {
  return text.slice(0, at) + "\u0000".repeat(end - at) + text.slice(end);
}
