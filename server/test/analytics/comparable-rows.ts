/** A row whose numbers have nine digits: two ways to add the same up differ in the last ones. */
export function comparable(row: readonly unknown[]): readonly unknown[] {
  return row.map((cell) =>
    typeof cell === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(Number(cell).toPrecision(9)) : cell,
  );
}

/** Whether rows are those that were written by hand, in any order: each has all cells of its own one, and perhaps more beside them. */
export function coversRows(found: readonly (readonly unknown[])[], byHand: readonly (readonly unknown[])[]): boolean {
  if (found.length !== byHand.length) return false;
  const textOf = (cell: unknown) => String(typeof cell === "number" ? Number(cell.toPrecision(7)) : cell);
  const rest = found.map((row) => comparable(row).map(textOf));
  return byHand.every((row) => {
    const wanted = comparable(row).map(textOf);
    const at = rest.findIndex((cells) => hasAll(cells, wanted));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

function hasAll(cells: readonly string[], wanted: readonly string[]): boolean {
  const left = [...cells];
  return wanted.every((cell) => {
    const at = left.indexOf(cell);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
