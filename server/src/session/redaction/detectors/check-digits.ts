/** Whether the last digit checks the others (ISO/IEC 7812-1): payment cards, Canadian insurance numbers. */
export function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, place) => {
    const weighted = place % 2 === 1 ? 2 * digit : digit;
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return digits.length > 1 && sum % 10 === 0;
}

/** The remainder by 97 of a decimal number of any length. */
export function mod97(digits: string): number {
  return [...digits].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0);
}
