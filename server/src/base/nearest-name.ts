/** The name that was probably meant: at most a third of the letters of the shorter one away, or one. Undefined when none is that near. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(Math.min(name.length, best.candidate.length) / 3))
    ? best.candidate
    : undefined;
}

/** Letters to add, drop, change, or swap with their neighbour (optimal string alignment). Long names are cut: they are near nothing. */
function editDistance(a: string, b: string): number {
  const from = a.slice(0, 64);
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (from[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && column > 1 && from[row - 1] === b[column - 2] && from[row - 2] === b[column - 1];
      const swap = isSwapped ? (before[column - 2] ?? 0) + 1 : change;
      current.push(Math.min(change, swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
