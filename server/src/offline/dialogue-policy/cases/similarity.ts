import { findEntities } from "../slots/entities.ts";
import { isContentWord, stem, words } from "../text/tokenizer.ts";

/** The weight of a stop word; content words weigh 1. */
const STOP_WORD_WEIGHT = 0.3;

/**
 * The similarity of two texts of a user, 0 to 1: the weighted share of common words (Dice), stemmed. Values (identifiers, numbers,
 * dates, addresses) count by their kind only: "Where is A-1001?" and "where's A-2002" are the same question.
 */
export type Similarity = (left: string, right: string) => number;

/** Size of the cache of parsed texts: cases and histories repeat the same ones. */
const MAX_TEXTS = 4096;

/** A similarity with a cache of texts. */
export function createSimilarity(): Similarity {
  const read = new Map<string, WeightedWords>();

  function wordsOf(text: string): WeightedWords {
    const known = read.get(text);
    if (known !== undefined) return known;
    if (read.size >= MAX_TEXTS) read.clear();
    const weighted = weightedWords(text);
    read.set(text, weighted);
    return weighted;
  }

  return (left, right) => {
    if (left.trim() === right.trim()) return 1;
    const [first, second] = [wordsOf(left), wordsOf(right)];
    let common = 0;
    for (const [word, weight] of first.weights) common += Math.min(weight, second.weights.get(word) ?? 0);
    const total = first.sum + second.sum;
    return total === 0 ? 0 : (2 * common) / total;
  };
}

interface WeightedWords {
  readonly weights: ReadonlyMap<string, number>;
  readonly sum: number;
}

function weightedWords(text: string): WeightedWords {
  const weights = new Map<string, number>();
  for (const word of words(masked(text))) {
    const key = stem(word);
    weights.set(key, (weights.get(key) ?? 0) + (isContentWord(word) ? 1 : STOP_WORD_WEIGHT));
  }
  return { weights, sum: weights.values().reduce((sum, weight) => sum + weight, 0) };
}

function masked(text: string): string {
  return findEntities(text).reduceRight(
    (rest, { kind, start, text: written }) =>
      `${rest.slice(0, start)} value${kind} ${rest.slice(start + written.length)}`,
    text,
  );
}
