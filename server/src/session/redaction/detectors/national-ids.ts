import type { Detector } from "../contract.ts";
import { mod97, passesLuhn } from "./check-digits.ts";
import { byPattern, digitsOf } from "./pattern.ts";

/** Numbers that states give to people. Those without a check digit must be written in their usual form. */
export const nationalIds: readonly Detector[] = [
  // Areas 000, 666 and 9xx, group 00 and serial 0000 were never given out.
  byPattern("US_SOCIAL_SECURITY_NUMBER", /(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g),
  byPattern(
    "UK_NATIONAL_INSURANCE_NUMBER",
    /(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/gi,
  ),
  byPattern("SPAIN_DNI_NUMBER", /(?<!\w)\d{8}[ -]?[A-Z](?!\w)/gi, isSpanish),
  byPattern("SPAIN_NIE_NUMBER", /(?<!\w)[XYZ][ -]?\d{7}[ -]?[A-Z](?!\w)/gi, isSpanish),
  byPattern("FRANCE_NIR", /(?<![\w-])[12](?: ?\d{2}){2} ?(?:\d{2}|2[AB])(?: ?\d{3}){2} ?\d{2}(?![\w-])/gi, isFrench),
  byPattern(
    "ITALY_FISCAL_CODE",
    /(?<!\w)[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z](?!\w)/gi,
    isItalian,
  ),
  byPattern("GERMANY_TAXPAYER_IDENTIFICATION_NUMBER", /(?<![\w.,-])[1-9]\d(?: ?\d{3}){3}(?![\w-])/g, isGerman),
  byPattern("BRAZIL_CPF_NUMBER", /(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w-])/g, isBrazilian),
  byPattern("CANADA_SOCIAL_INSURANCE_NUMBER", /(?<![\w-])\d{3}([- ])\d{3}\1\d{3}(?![\w-])/g, (match) =>
    passesLuhn(digitsOf(match)),
  ),
];

/** The letter is the number's remainder by 23; a leading X, Y or Z counts as 0, 1 or 2. */
function isSpanish(match: string): boolean {
  const plain = match.toUpperCase().replace(/[ -]/g, "");
  const number = Number(plain.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter))));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === plain.at(-1);
}

/** The last two digits are what lacks to a multiple of 97; Corsica's 2A and 2B count as 19 and 18. */
function isFrench(match: string): boolean {
  const plain = match.toUpperCase().replaceAll(" ", "").replace("2A", "19").replace("2B", "18");
  return 97 - mod97(plain.slice(0, 13)) === Number(plain.slice(13));
}

/** Values of 0 to 9, and of A to J alike, then of K to Z, at odd places (counted from one). */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** The last letter is the remainder by 26 of all values before it. */
function isItalian(match: string): boolean {
  const places = [...match.toUpperCase()].map((character) =>
    /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65,
  );
  const check = places.pop();
  const sum = places.reduce((total, place, at) => total + (at % 2 === 0 ? (ITALIAN_ODD[place] ?? 0) : place), 0);
  return sum % 26 === check;
}

/** Of the first ten digits exactly one occurs twice or three times; the last is the check of ISO 7064 MOD 11,10. */
function isGerman(match: string): boolean {
  const digits = digitsOf(match);
  const check = digits.pop();
  const counts = [...new Set(digits)].map((digit) => digits.filter((other) => other === digit).length);
  if (counts.filter((count) => count > 1).length !== 1 || counts.some((count) => count > 3)) return false;
  const product = digits.reduce((carry, digit) => (2 * ((carry + digit) % 10 || 10)) % 11, 10);
  return (11 - product) % 10 === check;
}

/** Both last digits are weighted sums by 11 of those before; a number of one digit throughout passes, and is none. */
function isBrazilian(match: string): boolean {
  const digits = digitsOf(match);
  const check = (length: number) => {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    return ((10 * sum) % 11) % 10 === digits[length];
  };
  return new Set(digits).size > 1 && check(9) && check(10);
}
