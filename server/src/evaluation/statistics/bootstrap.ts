/** The change of an average score between two versions, with its interval. */
export interface ScoreChange {
  /** Cases with a score in both. */
  readonly n: number;
  /** Mean of the differences, after minus before. Undefined without cases. */
  readonly change: number | undefined;
  /** Percentile interval of the change, 95 %. Undefined without cases. */
  readonly interval: readonly [low: number, high: number] | undefined;
}

/** Resamples of one comparison. */
const RESAMPLES = 2_000;

/**
 * Compares scores of the same cases by a paired bootstrap (EVAL-22). A case without a score in one version is left out. The same input and seed
 * give the same interval.
 */
export function compareScores(
  cases: readonly { readonly before: number | undefined; readonly after: number | undefined }[],
  seed = 1,
): ScoreChange {
  const differences = cases.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [after - before],
  );
  const n = differences.length;
  if (n === 0) return { n, change: undefined, interval: undefined };
  const random = mulberry32(seed);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += differences[Math.floor(random() * n)] ?? 0;
    return sum / n;
  }).sort((one, other) => one - other);
  const at = (share: number) => means[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? 0;
  const change = differences.reduce((sum, difference) => sum + difference, 0) / n;
  return { n, change, interval: [at(0.025), at(0.975)] };
}

/** A small generator of numbers from 0 to 1, the same for the same seed (Mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
