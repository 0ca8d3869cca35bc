import type { Token } from "#analytics";

/** Months of the year, January first. */
export const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Whether a word names a month, in full or by its first letters; "may" in small letters is a verb, unless a year follows. */
export function isMonth(token: Token | undefined, next?: Token): token is Token {
  return token?.kind === "word" && monthOf(token) >= 0 && (token.text !== "may" || isYear(next));
}

/** The month that a word names, January 0; -1 for none. */
export function monthOf(token: Token | undefined): number {
  const word = token?.text.toLowerCase() ?? "";
  return word.length < 3
    ? -1
    : MONTHS.findIndex(
        (month) => month === word || month.slice(0, 3) === word || (word === "sept" && month === "september"),
      );
}

/** Whether a number is written as a year of these centuries. */
export function isYear(token: Token | undefined): token is Token & { readonly value: number } {
  return token?.kind === "number" && /^(19|20)\d\d$/.test(token.text);
}
