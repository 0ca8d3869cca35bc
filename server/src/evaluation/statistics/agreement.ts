/** How far two raters agree beyond chance: Cohen's kappa (EVAL-23). */
interface Agreement {
  readonly n: number;
  /** Share of equal ratings, 0 to 1. Undefined without ratings. */
  readonly observed: number | undefined;
  /** -1 to 1; 1 = always equal, 0 = as by chance. Undefined without ratings, and when both always give the same one rating. */
  readonly kappa: number | undefined;
}

/** The agreement of pairs of ratings, e.g. a judge's and a person's verdict of the same conversation. */
export function agreementOf(pairs: readonly (readonly [string, string])[]): Agreement {
  const n = pairs.length;
  if (n === 0) return { n, observed: undefined, kappa: undefined };
  const share = (matches: (pair: readonly [string, string]) => boolean) => pairs.filter(matches).length / n;
  const observed = share(([one, other]) => one === other);
  let byChance = 0;
  for (const rating of new Set(pairs.flat())) {
    byChance += share(([one]) => one === rating) * share(([, other]) => other === rating);
  }
  return { n, observed, kappa: byChance === 1 ? undefined : (observed - byChance) / (1 - byChance) };
}
