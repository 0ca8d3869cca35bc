import type { Token } from "#analytics";
import { definedFields, nonEmptyFields } from "#base";
import { adjectives } from "../lexicon/attributes.ts";
import type { Comparison } from "../lexicon/comparison.ts";
import type { Constituent } from "./constituent.ts";

const COMPARISONS: readonly (readonly [words: string, comparison: Comparison])[] = [
  [">|more than|over|above|greater than|larger than|higher than|bigger than|exceeding|exceed|at more than", ">"],
  [
    ">=|at or above|equal to or more than|equal to or greater than|equal or greater than|at least|no less than|no fewer than|not less than|not fewer than|not below|not under|minimum of|from at least",
    ">=",
  ],
  ["<|less than|fewer than|under|below|smaller than|lower than", "<"],
  [
    "<=|at or below|equal to or less than|equal or less than|at most|no more than|not more than|not over|not above|no greater than|not greater than|up to|maximum of",
    "<=",
  ],
  ["=|exactly|equal to|equals|equal", "="],
  ["<>|not equal to|not equal|not equals|not exactly|unequal to", "<>"],
];

/** "greater than or equal to". */
const OR_EQUAL = COMPARISONS.flatMap(([phrases, comparison]) =>
  comparison === ">" || comparison === "<"
    ? phrases.split("|").map((phrase) => [`${phrase} or equal|${phrase} or equal to`, `${comparison}=`] as const)
    : [],
);

const ENTRIES = [
  ...[...COMPARISONS, ...OR_EQUAL].flatMap(([phrases, comparison]) =>
    phrases.split("|").map((phrase) => ({ words: phrase.split(" "), comparison, of: undefined })),
  ),
  ...(["more", "less"] as const).flatMap((degree) =>
    adjectives(degree).flatMap(({ attribute, words }) =>
      words.map((adjective) => ({
        words: [...adjective.split(" "), "than"],
        comparison: degree === "more" ? (">" as const) : ("<" as const),
        of: attribute,
      })),
    ),
  ),
].toSorted((left, right) => right.words.length - left.words.length);

/** The number of words of a comparison without a number at `at`; 0 without one. A single word has other senses. */
export function openComparison(tokens: readonly Token[], at: number): number {
  const found = ENTRIES.find(
    ({ words }) => words.length > 1 && words.every((word, offset) => tokens[at + offset]?.stem === word),
  );
  return found?.words.length ?? 0;
}

/** The number of words of a comparison that is none of an adjective at `at`, whatever follows; 0 without one. */
export function comparisonWords(tokens: readonly Token[], at: number): number {
  const found = ENTRIES.find(
    ({ words, of }) => of === undefined && words.every((word, offset) => tokens[at + offset]?.stem === word),
  );
  return found?.words.length ?? 0;
}

/** "=", "not equal to" and the like at `at`, whatever follows. */
export function equalityAt(
  tokens: readonly Token[],
  at: number,
): { readonly negated: boolean; readonly length: number } | undefined {
  const found = ENTRIES.find(
    ({ words, comparison }) =>
      (comparison === "=" || comparison === "<>") && words.every((word, offset) => tokens[at + offset]?.stem === word),
  );
  return found && { negated: found.comparison === "<>", length: found.words.length };
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
  for (const { words, comparison, of } of ENTRIES) {
    if (!words.every((word, offset) => tokens[at + offset]?.stem === word)) continue;
    const number = tokens[at + words.length];
    const value = ONE.has(number?.stem ?? "") ? 1 : number?.kind === "number" ? number.value : undefined;
    const next = tokens[at + words.length + 1];
    const behind = next?.stem;
    // "< 1/2/2024", "> 10-20" and "> 20% of cost" bound no number.
    if (value === undefined || next?.joined || (number?.text.endsWith("%") && behind === "of")) continue;
    const times = number?.stem === "once" || behind === "time";
    const length = words.length + (behind === "time" ? 2 : 1);
    const cues = { ...nonEmptyFields({ times }), ...definedFields({ of }) };
    return { constituent: { kind: "compare", comparison, value, ...cues } as const, length };
  }
  return undefined;
}

/** "between 10 and 20", "from 10 to 20", "10-20". */
function readBetween(tokens: readonly Token[], at: number) {
  const opening = tokens[at]?.stem ?? "";
  const begin = at + (opening === "between" || opening === "from" ? 1 : 0);
  const [low, next] = [tokens[begin], tokens[begin + 1]];
  const isJoined = next?.joined === "-";
  const high = isJoined ? next : tokens[begin + 2];
  const isSeparated = next?.stem === "to" || (next?.stem === "and" && opening === "between");
  if (low?.value === undefined || high?.value === undefined || !(isJoined || isSeparated)) return undefined;
  if (low.kind !== "number" || high.kind !== "number" || isYear(low)) return undefined;
  const end = begin + (isJoined ? 2 : 3);
  // "14-03-2025" is no range.
  if (low.joined || tokens[end]?.joined) return undefined;
  return { constituent: { kind: "between", low: low.value, high: high.value } as const, length: end - at };
}

/** Words behind "5 or". */
const OR_MORE: Readonly<Record<string, Comparison>> = {
  ...{ more: ">=", above: ">=", over: ">=", higher: ">=", greater: ">=", up: ">=" },
  ...{ less: "<=", fewer: "<=", below: "<=", under: "<=", lower: "<=" },
};

/** "5 or more", "5+". */
function readOrMore(tokens: readonly Token[], at: number) {
  const [number, or, word] = tokens.slice(at, at + 3);
  if (number?.kind !== "number" || number.value === undefined) return undefined;
  const { value } = number;
  if (or?.stem === "+") return { constituent: { kind: "compare", comparison: ">=", value } as const, length: 2 };
  const comparison = or?.stem === "or" ? OR_MORE[word?.stem ?? ""] : undefined;
  return comparison && { constituent: { kind: "compare", comparison, value } as const, length: 3 };
}

function isYear({ text }: Token): boolean {
  return /^(19|20)\d\d$/.test(text);
}
