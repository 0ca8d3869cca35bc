/** The fewest decimal digits that read back as the same 32-bit float: 0.9 for 0.8999999761581421. Nine digits always suffice. */
export function shortestFloat(value: number): number {
  for (let precision = 1; precision < 9; precision += 1) {
    const candidate = Number(value.toPrecision(precision));
    if (Math.fround(candidate) === Math.fround(value)) return candidate;
  }
  return Number(value.toPrecision(9));
}
