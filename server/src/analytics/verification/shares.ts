import { percentsOf } from "./known-values.ts";
import type { WrittenNumber } from "./parse-numbers.ts";
import type { LabelledRow, PlacedLabel, RowLabels } from "./row-labels.ts";

/** Words of a change: "rose by 12 %" compares the difference of two cells with the first. */
const CHANGE =
  /\b(?:grew|grow\w*|rose|rise\w*|fell|fall\w*|increas\w*|decreas\w*|declin\w*|dropp?\w*|chang\w*|up|down|higher|lower|more|less|fewer|above|below|gain\w*|los[est]\w*)\b/i;
/** Rows of one label whose cells are compared; of more, no share is meant. */
const MAX_ROWS = 12;

/**
 * Percentages that follow from two cells which the sentence names: of the row of a label two cells, or one and the sum of its column; of two
 * labels the cells of one column, or their change where the sentence tells one; of numbers that it states, those two; of a single row with two
 * numbers, these.
 */
export function sharesIn(
  sentence: string,
  stated: readonly WrittenNumber[],
  labels: readonly PlacedLabel[],
  { rows }: RowLabels,
): readonly number[] {
  const named = labels.filter((label) => label.rows.length <= MAX_ROWS);
  const [single] = rows.length === 1 ? rows : [];
  const cells = single?.cells.flatMap((cell) => cell ?? []) ?? [];
  const isChange = CHANGE.test(sentence);
  return [
    ...named.flatMap((label) => label.rows.flatMap(sharesOfRow)),
    ...named.flatMap((one, at) => named.slice(at + 1).flatMap((other) => between(one.rows, other.rows, isChange))),
    ...(cells.length === 2 ? percentsBetween(cells[0] ?? 0, cells[1] ?? 0, isChange) : []),
    ...ofStated(stated, rows),
  ];
}

/** Cells of one row that are percentages or parts of one, in percent. */
export function percentsOfRow({ cells, table: { names } }: LabelledRow): readonly number[] {
  return cells.flatMap((cell, at) => (cell === undefined ? [] : percentsOf(cell, names[at] ?? "")));
}

/** What the cells of one row are in percent: by themselves, of each other and of their columns. */
export function sharesOfRow(row: LabelledRow): readonly number[] {
  const { cells, table } = row;
  const shares = cells.flatMap((cell, at) => {
    if (cell === undefined) return [];
    const wholes = [...cells.filter((_, place) => place !== at), table.totals?.[at]];
    return wholes.flatMap((whole) => (whole === undefined ? [] : percent(cell, whole)));
  });
  return [...percentsOfRow(row), ...shares];
}

function between(some: readonly LabelledRow[], others: readonly LabelledRow[], isChange: boolean): readonly number[] {
  return some.flatMap(({ cells, table }) =>
    others
      .filter((other) => other.table === table)
      .flatMap((other) =>
        table.names.flatMap((_, at) => {
          const [one, second] = [cells[at], other.cells.length === cells.length ? other.cells[at] : undefined];
          return one === undefined || second === undefined ? [] : percentsBetween(one, second, isChange);
        }),
      ),
  );
}

function percentsBetween(one: number, other: number, isChange: boolean): readonly number[] {
  if (!isChange) return [...percent(one, other), ...percent(other, one)];
  return [...percent(one - other, Math.abs(other)), ...percent(other - one, Math.abs(one))];
}

/** "12 of 100 orders (12 %)": both stand in the rows. */
function ofStated(stated: readonly WrittenNumber[], rows: readonly LabelledRow[]): readonly number[] {
  const cells = new Set(rows.flatMap((row) => row.cells.map((cell) => Math.abs(cell ?? Number.NaN))));
  const facts = stated
    .filter(({ percent: isPercent, value }) => !isPercent && cells.has(Math.abs(value)))
    .slice(0, MAX_ROWS);
  return facts.flatMap((one) =>
    facts.flatMap((other) => (one === other || one.value > other.value ? [] : percent(one.value, other.value))),
  );
}

function percent(part: number, whole: number): readonly number[] {
  return whole === 0 ? [] : [(part / whole) * 100];
}
