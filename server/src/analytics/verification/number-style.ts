/** Which mark stands before the decimals of a text's numbers: 1,234.56 or 1.234,56. */
export type NumberStyle = "point" | "comma";

/** Numbers that only one of the two can have written. */
const POINT = numbersOf(/\d{1,3}(?:,\d{3})+\.\d+/, /\d{1,3}(?:,\d{3}){2,}/, /\d+\.(?:\d{4,}|\d{1,2})/);
const COMMA = numbersOf(/\d{1,3}(?:[. \u00a0\u202f]\d{3})+,\d+/, /\d{1,3}(?:\.\d{3}){2,}/, /\d+,(?:\d{4,}|\d{1,2})/);

/**
 * Whole numbers of one of these forms. A form is taken as long as it is, for good (`(?=(…))\1`): whether digits follow would else be asked for each
 * shorter one, which takes the square of the time.
 */
function numbersOf(...forms: readonly RegExp[]): RegExp {
  const whole = forms.map(({ source }, index) => `(?=(${source}))\\${index + 1}(?![\\d.,]*\\d)`);
  return new RegExp(`(?<![\\d.,])(?:${whole.join("|")})`, "g");
}

/** Words of languages that write a decimal comma, and words of English. */
const COMMA_WORDS =
  /(?<!\p{L})(?:der|die|das|und|ist|sind|war|waren|mit|im|el|los|las|y|es|son|fue|con|le|les|et|est|sont|était|du|il|gli|di|sono|della|o|os|são|foi|het|een|van|zijn)(?!\p{L})/giu;
const POINT_WORDS = /(?<!\p{L})(?:the|of|and|is|are|was|were|has|had|with|by|from|that|it|there|in)(?!\p{L})/giu;

/**
 * How a text writes decimals: told by numbers that allow one reading, where there are none by its language. A text that tells neither is
 * read with a decimal point.
 */
export function numberStyleOf(text: string): NumberStyle {
  const [point, comma] = [countOf(text, POINT), countOf(text, COMMA)];
  if (point !== comma) return comma > point ? "comma" : "point";
  return point === 0 && countOf(text, COMMA_WORDS) > countOf(text, POINT_WORDS) ? "comma" : "point";
}

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

/** A text with the digits of other scripts as ASCII digits, each character in its place. */
export function withAsciiDigits(text: string): string {
  return text
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .replace(/[！-～]/g, (wide) => wide.normalize("NFKC"));
}
