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

/** The relevance of a bag for a query. */
interface Relevance {
  /** Okapi BM25; 0 means that no term is shared. */
  readonly score: number;
  /** The weight of the shared terms among all query terms that occur in any bag, 0 to 1. */
  readonly coverage: number;
  /** Distinct terms shared. */
  readonly matched: number;
}

/**
 * The relevance of each bag for a query, in order. The number of bags is respondToSmalltalk (the functions of one agent), so document
 * frequencies are counted per query and no index is kept.
 */
export function scoreBags(query: readonly string[], bags: readonly TermBag[]): readonly Relevance[] {
  const averageLength = bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(bags.length, 1) || 1;
  const weighted = [...new Set(query)].flatMap((term) => {
    const frequency = bags.filter((bag) => bag.counts.has(term)).length;
    return frequency === 0 ? [] : [{ term, weight: Math.log(1 + (bags.length - frequency + 0.5) / (frequency + 0.5)) }];
  });
  const known = weighted.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return bags.map((bag) => {
    const shared = weighted.filter(({ term }) => bag.counts.has(term));
    const norm = K1 * (1 - B + (B * bag.length) / averageLength);
    const score = shared.reduce(
      (sum, { term, weight }) => sum + weight * saturated(bag.counts.get(term) ?? 0, norm),
      0,
    );
    return { score, coverage: shared.reduce((sum, { weight }) => sum + weight, 0) / known, matched: shared.length };
  });
}

function saturated(count: number, norm: number): number {
  return (count * (K1 + 1)) / (count + norm);
}
