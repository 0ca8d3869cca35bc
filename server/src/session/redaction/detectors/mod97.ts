/** The remainder by 97 of a decimal number of any length. */
export function mod97(digits: string): number {
  return [...digits].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0);
}
