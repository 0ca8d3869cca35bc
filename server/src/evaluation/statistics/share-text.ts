/** A share as reports write it: 0.9345 is `93.5 %`. Only all is `100 %` and only none `0 %`: 9,999 of 10,000 are `99.9 %`. */
export function shareText(share: number): string {
  const tenths = share * 1_000;
  const rounded = Math.round(tenths);
  if (rounded >= 1_000 && share < 1) return `${Math.floor(tenths) / 10} %`;
  if (rounded === 0 && share > 0) return `${Math.ceil(tenths) / 10} %`;
  return `${rounded / 10} %`;
}
