/** Words that stand this close together count as one thought. */
const WINDOW = 6;

/**
 * How well the words of a question stand together in the fields of a passage (each a string of terms): from 1 for one word
 * of many, up to about 2.2 when all are there, next to each other and in order. BM25 counts words and does not see this.
 */
export function nearness(wanted: readonly string[], fields: readonly string[]): number {
  const positions = fields.map((field) => positionsOf(wanted, field));
  const found = wanted.filter((term) => positions.some((places) => places.has(term)));
  const coverage = found.length / wanted.length;
  const pairs = wanted.length - 1;
  if (pairs === 0) return 1 + 0.6 * coverage;
  let closeness = 0;
  for (let at = 0; at < pairs; at++) {
    const [first = "", second = ""] = [wanted[at], wanted[at + 1]];
    closeness += Math.max(...positions.map((places) => pairCloseness(places.get(first), places.get(second))));
  }
  return 1 + 0.6 * coverage + (0.6 * closeness) / pairs;
}

function positionsOf(wanted: readonly string[], field: string): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  const set = new Set(wanted);
  for (const [at, term] of field.split(" ").entries()) {
    if (!set.has(term)) continue;
    const places = positions.get(term);
    if (places) places.push(at);
    else positions.set(term, [at]);
  }
  return positions;
}

/** 1 for a word right after the other, less with distance, nothing beyond the window; in reverse order half of it. */
function pairCloseness(first: readonly number[] | undefined, second: readonly number[] | undefined): number {
  if (!first || !second) return 0;
  let best = 0;
  let from = 0;
  for (const place of first) {
    while (from < second.length && (second[from] ?? 0) < place - WINDOW) from++;
    for (let at = from; at < second.length && (second[at] ?? 0) <= place + WINDOW; at++) {
      const distance = (second[at] ?? 0) - place;
      if (distance !== 0) best = Math.max(best, (distance > 0 ? 1 : 0.5) / Math.abs(distance));
    }
    if (best === 1) return 1;
  }
  return best;
}
