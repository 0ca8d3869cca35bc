import { isOf } from "./match-row-labels.ts";
import type { WrittenNumber } from "./parse-numbers.ts";
import { type LabelledRow, placesOf, type RowLabels } from "./row-labels.ts";

/** A number behind the name of its column: "store id 1". */
interface NamedCell {
  readonly name: string;
  readonly at: number;
  readonly number: WrittenNumber;
}

/**
 * Whether numbers that are listed behind the names of their columns are in one row: "order id 14378, store id 3" is wrong where that order has the
 * store 1, though another order has the store 3.
 */
export function matchNamedCells(
  sentence: string,
  numbers: readonly WrittenNumber[],
  { names, rows }: RowLabels,
): boolean {
  const cells = namedCells(sentence.toLowerCase(), numbers, names);
  return listsOf(cells, sentence).every((list) => rows.some((row) => list.every((cell) => isCellOf(row, cell))));
}

function namedCells(text: string, numbers: readonly WrittenNumber[], names: ReadonlySet<string>): readonly NamedCell[] {
  const places = [...names].flatMap((name) => placesOf(name, text).map((place) => ({ ...place, name })));
  return numbers
    .filter(({ percent }) => !percent)
    .toSorted((one, other) => one.at - other.at)
    .flatMap((number) => {
      const before = places.filter(({ end }) => end < number.at && /^[\s:=*]+$/.test(text.slice(end, number.at)));
      const [longest] = before.toSorted((one, other) => one.at - other.at);
      return longest ? [{ name: longest.name, at: longest.at, number }] : [];
    });
}

/** Cells that follow one another with nothing but marks between them, each of another column. */
function listsOf(cells: readonly NamedCell[], sentence: string): readonly (readonly NamedCell[])[] {
  const lists: NamedCell[][] = [];
  for (const cell of cells) {
    const list = lists.at(-1);
    const end = list?.at(-1)?.number.end ?? 0;
    const continues = /^[\s,;(*]*$/.test(sentence.slice(end, cell.at)) && list?.every(({ name }) => name !== cell.name);
    if (list && continues) list.push(cell);
    else lists.push([cell]);
  }
  return lists.filter(({ length }) => length > 1);
}

/** A cell that is no number, such as a year that names its row, is left to the other checks. */
function isCellOf(row: LabelledRow, { name, number }: NamedCell): boolean {
  const at = row.table.names.findIndex((one) =>
    [one, one.replaceAll("_", " ")].some((text) => text.toLowerCase() === name),
  );
  const cell = row.cells[at];
  return at >= 0 && (cell === undefined || isOf({ ...row, cells: [cell] }, number));
}
