import { stem } from "./stem.ts";
import { isContentWord, words } from "./tokenise.ts";
import { findValues } from "./values.ts";

/** What a word that only holds the sentence together weighs beside one that carries meaning. */
const SMALL_WORD = 0.3;

/**
 * How alike two texts of a user are, 0 to 1: the weighted share of common words (Dice), stemmed. Values (identifiers, numbers,
 * dates, addresses) count by their kind only: "Where is A-1001?" and "where's A-2002" are the same question.
 */
export function similarity(left: string, right: string): number {
  if (left.trim() === right.trim()) return 1;
  const [first, second] = [weightedWords(left), weightedWords(right)];
  let common = 0;
  for (const [word, weight] of first) common += Math.min(weight, second.get(word) ?? 0);
  const total = weightOf(first) + weightOf(second);
  return total === 0 ? 0 : (2 * common) / total;
}

function weightedWords(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of words(masked(text))) {
    const key = stem(word);
    weights.set(key, (weights.get(key) ?? 0) + (isContentWord(word) ? 1 : SMALL_WORD));
  }
  return weights;
}

function masked(text: string): string {
  return findValues(text).reduceRight(
    (rest, { kind, start, text: written }) =>
      `${rest.slice(0, start)} value${kind} ${rest.slice(start + written.length)}`,
    text,
  );
}

function weightOf(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return sum;
}
