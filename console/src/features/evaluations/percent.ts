/** A share as people read it: 0.934 is "93%". */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** An interval of shares: "72%–100%". */
export function percentRange([low, high]: readonly [number, number]): string {
  return `${percent(low)}–${percent(high)}`;
}

/** A change of a share with its sign, in percentage points: -0.05 is "−5 points". */
export function points(change: number): string {
  const rounded = Math.round(change * 1_000) / 10;
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return `${sign}${Math.abs(rounded)} points`;
}
