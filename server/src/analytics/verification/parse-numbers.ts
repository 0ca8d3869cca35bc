import { type NumberStyle, withAsciiDigits } from "./number-style.ts";
import { spelledNumbers } from "./number-words.ts";

/** A number in a text: its place, value and precision. */
export interface WrittenNumber {
  readonly at: number;
  readonly end: number;
  readonly value: number;
  /** Half of the last place written. */
  readonly tolerance: number;
  readonly percent: boolean;
  /** "top three", "3rd": things are counted off. */
  readonly counting: boolean;
}

const UNIT =
  "(?:\\s?(%|percent\\b|per cent\\b|percentage points?\\b|prozent\\b|por ?ciento\\b|pour cent\\b|k\\b|m\\b|bn\\b|hundred\\b|thousand\\b|million\\b|billion\\b|trillion\\b|(?:st|nd|rd|th)\\b))?";
const SIGN = "([-−]\\s?)?(?:[£$€]\\s?)?";
const DIGITS: Readonly<Record<NumberStyle, RegExp>> = {
  point: new RegExp(
    `${SIGN}(\\d{1,3}(?:[,'’\\u00a0\\u202f]\\d{3})+(?!\\d)|\\d{1,2}(?:,\\d{2})+,\\d{3}(?!\\d)|\\d+)(?:\\.(\\d+))?${UNIT}`,
    "giu",
  ),
  comma: new RegExp(`${SIGN}(\\d{1,3}(?:[.'’\\u00a0\\u202f ]\\d{3})+(?!\\d)|\\d+)(?:,(\\d+))?${UNIT}`, "giu"),
};
const SCALES: Readonly<Record<string, number>> = {
  ...{ hundred: 100, k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9, trillion: 1e12 },
};
const PERCENT = /%|per ?cent|prozent|por ?ciento|pour cent/i;

/** Every number in a text: in digits, in words, and as a part or multiple ("a third", "doubled"). Default style "point". */
export function parseNumbers(text: string, style: NumberStyle = "point"): readonly WrittenNumber[] {
  const plain = withAsciiDigits(text);
  return [...inDigits(plain, style), ...inWords(plain), ...partsOf(plain)];
}

function inDigits(text: string, style: NumberStyle): readonly WrittenNumber[] {
  return [...text.matchAll(DIGITS[style])].map(
    ({ 0: whole, 1: sign, 2: digits = "0", 3: decimals = "", 4: unit = "", index }) => {
      const scale = SCALES[unit.toLowerCase()] ?? 1;
      const magnitude = Number(`${digits.replace(/[^\d]/g, "")}.${decimals || "0"}`) * scale;
      // A hyphen behind a digit or letter joins ("10-20", "2025-03"); it is no sign.
      const negative = sign !== undefined && !/[\p{L}\d]$/u.test(text.slice(0, index));
      return {
        at: index,
        end: index + whole.length,
        value: negative ? -magnitude : magnitude,
        tolerance: (0.5 * scale) / 10 ** decimals.length + 1e-9,
        percent: PERCENT.test(unit),
        counting: /(st|nd|rd|th)$/i.test(whole) || COUNTED_OFF.test(text.slice(0, index)),
      };
    },
  );
}

const COUNTED_OFF = /\b(?:top|first|last|leading|best|worst|largest|smallest|these|those|the)\s+$/i;

/** Words behind digits are theirs ("5 million"); before a part or a multiple they are a part of it. */
function inWords(text: string): readonly WrittenNumber[] {
  return spelledNumbers(text).flatMap(({ at, end, value, ordinal }) => {
    const before = text.slice(0, at);
    const isPart = /^[\s-]+(?:thirds?|quarters?|fifths?|halves|times|fold)\b/i.test(text.slice(end));
    if (/\d[\s-]*$/.test(before) || isPart) return [];
    const [percent] = /^\s*(?:%|percent\b|per cent\b)/i.exec(text.slice(end)) ?? [];
    return [
      {
        at,
        end: end + (percent?.length ?? 0),
        value,
        tolerance: 1e-9,
        percent: percent !== undefined,
        counting: ordinal || COUNTED_OFF.test(before),
      },
    ];
  });
}

/** Parts and multiples are percentages in words; "the first half of 2025" and "three quarters in a row" are times. */
const PARTS: readonly (readonly [pattern: RegExp, percents: readonly number[]])[] = [
  [/(?<!first |second )\bhalf\b(?! (?:of )?(?:the )?(?:year|\d{4}))|½/gi, [50]],
  [/\b(?:a|one)[\s-]third\b|⅓/gi, [33.33]],
  [/\btwo[\s-]thirds\b|⅔/gi, [66.67]],
  [/\b(?:a|one)[\s-]quarter of\b|¼/gi, [25]],
  [/\bthree[\s-]quarters of\b|¾/gi, [75]],
  [/\b(?:a|one)[\s-]fifth\b|⅕/gi, [20]],
  [/\b(?:doubled|twice|twofold|two times|2x)\b/gi, [100, 200]],
  [/\b(?:tripled|three times|threefold|3x)\b/gi, [200, 300]],
  [/\b(?:quadrupled|four times|fourfold)\b/gi, [300, 400]],
  [/\bhalved\b/gi, [-50, 50]],
];

function partsOf(text: string): readonly WrittenNumber[] {
  return PARTS.flatMap(([pattern, percents]) =>
    [...text.matchAll(pattern)].map(({ 0: whole, index }) => ({
      ...{ at: index, end: index + whole.length, value: percents[0] ?? 0 },
      ...{ tolerance: 2, percent: true, counting: false },
    })),
  );
}
