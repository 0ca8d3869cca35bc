/** A share as people read it: 0.934 is "93%". Only all is "100%" and only none "0%": 999 of 1000 are "99.9%". */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return `${Math.floor(share * 1_000) / 10}%`;
  if (rounded === 0 && share > 0) return `${Math.ceil(share * 1_000) / 10}%`;
  return `${rounded}%`;
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
