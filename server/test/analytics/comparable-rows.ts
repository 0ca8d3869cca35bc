/** A row whose numbers have nine digits: two ways to add the same up differ in the last ones. */
export function comparable(row: readonly unknown[]): readonly unknown[] {
  return row.map((cell) =>
    typeof cell === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(Number(cell).toPrecision(9)) : cell,
  );
}
