import type { Token } from "#analytics";
import { nonEmptyFields } from "#base";
import type { Comparison, Constituent } from "./constituent.ts";

const COMPARISONS: readonly (readonly [words: string, comparison: Comparison])[] = [
  ["more than|over|above|greater than|larger than|higher than|bigger than|exceeding|exceed|at more than", ">"],
  ["at least|no less than|not less than|minimum of|from at least", ">="],
  ["less than|fewer than|under|below|smaller than|lower than", "<"],
  ["at most|no more than|not more than|up to|maximum of", "<="],
  ["exactly|equal to|equals|equal", "="],
];

/** Comparisons of prices. */
const OF_PRICES: readonly (readonly [words: string, comparison: Comparison])[] = [
  ["cheaper than|less expensive than", "<"],
  ["more expensive than|dearer than|pricier than|costlier than", ">"],
];

const ENTRIES = [
  ...COMPARISONS.map(([phrases, comparison]) => ({ phrases, comparison, price: false })),
  ...OF_PRICES.map(([phrases, comparison]) => ({ phrases, comparison, price: true })),
]
  .flatMap(({ phrases, ...compared }) =>
    phrases.split("|").map((phrase) => ({ words: phrase.split(" "), ...compared })),
  )
  .toSorted((left, right) => right.words.length - left.words.length);

/** The number of words of a comparison without a number at `at`; 0 without one. A single word has other senses. */
export function openComparison(tokens: readonly Token[], at: number): number {
  const found = ENTRIES.find(
    ({ words }) => words.length > 1 && words.every((word, offset) => tokens[at + offset]?.stem === word),
  );
  return found?.words.length ?? 0;
}

/** Words for one after a comparison; elsewhere they are stop words. */
const ONE = new Set(["one", "a", "an", "single", "once"]);

/** "more than 5", "at least 100", "between 10 and 20", "5 or more": a bound. */
export function readComparison(
  tokens: readonly Token[],
  at: number,
): { readonly constituent: Constituent; readonly length: number } | undefined {
  return readBetween(tokens, at) ?? readOrMore(tokens, at) ?? readBound(tokens, at);
}

function readBound(tokens: readonly Token[], at: number) {
  for (const { words, comparison, price } of ENTRIES) {
    if (!words.every((word, offset) => tokens[at + offset]?.stem === word)) continue;
    const number = tokens[at + words.length];
    const value = ONE.has(number?.stem ?? "") ? 1 : number?.kind === "number" ? number.value : undefined;
    if (value === undefined) continue;
    const behind = tokens[at + words.length + 1]?.stem;
    const times = number?.stem === "once" || behind === "time";
    const length = words.length + (behind === "time" ? 2 : 1);
    const cues = nonEmptyFields({ times, price });
    return { constituent: { kind: "compare", comparison, value, ...cues } as const, length };
  }
  return undefined;
}

function readBetween(tokens: readonly Token[], at: number) {
  const [word, low, and, high] = tokens.slice(at, at + 4);
  if (word?.stem !== "between" || and?.stem !== "and" || low?.value === undefined || high?.value === undefined)
    return undefined;
  if (low.kind !== "number" || high.kind !== "number" || isYear(low)) return undefined;
  return { constituent: { kind: "between", low: low.value, high: high.value } as const, length: 4 };
}

function readOrMore(tokens: readonly Token[], at: number) {
  const [number, or, word] = tokens.slice(at, at + 3);
  if (number?.kind !== "number" || number.value === undefined || or?.stem !== "or") return undefined;
  const comparison = { more: ">=", less: "<=", fewer: "<=" }[word?.stem ?? ""] as Comparison | undefined;
  return comparison && { constituent: { kind: "compare", comparison, value: number.value } as const, length: 3 };
}

function isYear({ text }: Token): boolean {
  return /^(19|20)\d\d$/.test(text);
}
