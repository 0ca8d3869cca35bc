/** A number in a text: its value and its precision. */
export interface WrittenNumber {
  readonly value: number;
  /** Half of the last place written. */
  readonly tolerance: number;
  readonly percent: boolean;
  /** "top three", "3rd": things are counted off. */
  readonly counting: boolean;
}

const DIGITS =
  /([-−]\s?)?(?:[£$€]\s?)?(\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+|\d+)(?:\.(\d+))?(?:\s?(%|percent\b|per cent\b|percentage points?\b|k\b|m\b|bn\b|thousand\b|million\b|billion\b|trillion\b|(?:st|nd|rd|th)\b))?/giu;
const SCALES: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9, trillion: 1e12 },
};

/** Every number in a text: in digits, in words, and as a part or multiple ("a third", "doubled"). */
export function parseNumbers(text: string): readonly WrittenNumber[] {
  const plain = text.normalize("NFKC").replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16));
  return [...inDigits(plain), ...inWords(plain), ...partsOf(plain)];
}

function inDigits(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(DIGITS)].map(
    ({ 0: whole, 1: sign, 2: digits = "0", 3: decimals = "", 4: unit = "", index }) => {
      const scale = SCALES[unit.toLowerCase()] ?? 1;
      const magnitude = Number(`${digits.replace(/[^\d]/g, "")}.${decimals || "0"}`) * scale;
      // A hyphen behind a digit or letter joins ("10-20", "2025-03"); it is no sign.
      const negative = sign !== undefined && !/[\p{L}\d]$/u.test(text.slice(0, index));
      return {
        value: negative ? -magnitude : magnitude,
        tolerance: (0.5 * scale) / 10 ** decimals.length + 1e-9,
        percent: /%|per ?cent/i.test(unit),
        counting: /(st|nd|rd|th)$/i.test(whole) || COUNTED_OFF.test(text.slice(0, index)),
      };
    },
  );
}

const COUNTED_OFF = /\b(?:top|first|last|leading|best|worst|largest|smallest|these|those|the)\s+$/i;
const UNITS: Readonly<Record<string, number>> = {
  ...{
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
  },
  ...{
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
    twenty: 20,
    thirty: 30,
    forty: 40,
  },
  ...{ fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90, one: 1, dozen: 12 },
};
const MULTIPLIERS: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 };
const WORD = `(?:${Object.keys(UNITS).join("|")}|${Object.keys(MULTIPLIERS).join("|")})`;
const WORDS = new RegExp(`\\b(?:a )?${WORD}(?:(?:[\\s-]+(?:and\\s+)?)${WORD})*\\b(\\s*(?:%|percent|per cent))?`, "giu");

/** "twenty-three thousand"; a lone "one" is a pronoun, "million" behind digits is theirs. */
function inWords(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(WORDS)].flatMap(({ 0: whole, 1: percent, index }) => {
    const words =
      whole
        .toLowerCase()
        .match(/[a-z]+/g)
        ?.filter((word) => word in UNITS || word in MULTIPLIERS) ?? [];
    const behindDigits = /\d[\s-]*$/.test(text.slice(0, index));
    const isPart = /^[\s-]+(?:thirds?|quarters?|fifths?|halves|times|fold)\b/i.test(text.slice(index + whole.length));
    if (words.join() === "one" || behindDigits || isPart) return [];
    return [
      {
        value: numberFrom(words),
        tolerance: 1e-9,
        percent: percent !== undefined,
        counting: COUNTED_OFF.test(text.slice(0, index)),
      },
    ];
  });
}

function numberFrom(words: readonly string[]): number {
  let [total, current] = [0, 0];
  for (const word of words) {
    const times = MULTIPLIERS[word];
    if (times === undefined) current += UNITS[word] ?? 0;
    else if (times === 100) current = (current || 1) * 100;
    else {
      total += (current || 1) * times;
      current = 0;
    }
  }
  return total + current;
}

/** Parts and multiples are percentages in words; "the first half of 2025" and "three quarters in a row" are times. */
const PARTS: readonly (readonly [pattern: RegExp, percents: readonly number[]])[] = [
  [/(?<!first |second )\bhalf\b(?! (?:of )?(?:the )?(?:year|\d{4}))/gi, [50]],
  [/\b(?:a|one)[\s-]third\b/gi, [33.33]],
  [/\btwo[\s-]thirds\b/gi, [66.67]],
  [/\b(?:a|one)[\s-]quarter of\b/gi, [25]],
  [/\bthree[\s-]quarters of\b/gi, [75]],
  [/\b(?:a|one)[\s-]fifth\b/gi, [20]],
  [/\b(?:doubled|twice|twofold|two times|2x)\b/gi, [100, 200]],
  [/\b(?:tripled|three times|threefold|3x)\b/gi, [200, 300]],
  [/\b(?:quadrupled|four times|fourfold)\b/gi, [300, 400]],
  [/\bhalved\b/gi, [-50, 50]],
];

function partsOf(text: string): readonly WrittenNumber[] {
  return PARTS.flatMap(([pattern, percents]) =>
    [...text.matchAll(pattern)].map(() => ({ value: percents[0] ?? 0, tolerance: 2, percent: true, counting: false })),
  );
}
