/** A bag of terms; a term's count may be a fraction where a field weighs more or less than another. */
export interface TermBag {
  readonly counts: ReadonlyMap<string, number>;
  /** Sum of the counts. */
  readonly length: number;
}

/** Adds weighted fields up to one bag, so that a word in a name can count for more than one in a parameter's description. */
export function termBag(fields: readonly (readonly [terms: readonly string[], weight: number])[]): TermBag {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [terms, weight] of fields) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
    length += terms.length * weight;
  }
  return { counts, length };
}

/** Term frequency saturation and length normalisation; the values that most search engines ship with. */
const K1 = 1.2;
const B = 0.75;

/**
 * Okapi BM25 scores of a query against each bag, in order; 0 means that no term is shared. The number of bags is small
 * (the functions of one agent), so document frequencies are counted per query and no index is kept.
 */
export function scoreBags(query: readonly string[], bags: readonly TermBag[]): readonly number[] {
  const averageLength = bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(bags.length, 1) || 1;
  const scores = new Array<number>(bags.length).fill(0);
  for (const term of new Set(query)) {
    const frequency = bags.filter((bag) => bag.counts.has(term)).length;
    const weight = Math.log(1 + (bags.length - frequency + 0.5) / (frequency + 0.5));
    bags.forEach((bag, position) => {
      const count = bag.counts.get(term) ?? 0;
      const saturated = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * bag.length) / averageLength));
      scores[position] = (scores[position] ?? 0) + weight * saturated;
    });
  }
  return scores;
}
