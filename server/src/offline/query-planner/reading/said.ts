/** Words whose sense only the whole question shows; false until they are read. */
export interface Said {
  /** what about, instead. */
  followsUp: boolean;
  /** and by. */
  adds: boolean;
  /** list, show. */
  listed: boolean;
  /** over time, trend. */
  overTime: boolean;
  /** different, unique. */
  distinct: boolean;
  /** The last word to group was "per". */
  per: boolean;
  /** "average quantity per line": the table of the mean stands behind "per". */
  averagedPer: boolean;
  /** spent, earned. */
  money: boolean;
  /** bought, sold. */
  event: boolean;
  /** who. */
  person: boolean;
  /** "which products". */
  several: boolean;
  /** "which product". */
  singular: boolean;
  /** compare, versus. */
  versus: boolean;
  /** cheapest, most expensive. */
  rankedByPrice: boolean;
  /** A "not" that nothing was chosen by yet. */
  openNegation: boolean;
  /** An "average" that nothing was divided by yet. */
  openAverage: boolean;
}

/** A question of which no such word is read yet. */
export function nothingSaid(): Said {
  return {
    followsUp: false,
    adds: false,
    listed: false,
    overTime: false,
    distinct: false,
    per: false,
    averagedPer: false,
    money: false,
    event: false,
    person: false,
    several: false,
    singular: false,
    versus: false,
    rankedByPrice: false,
    openNegation: false,
    openAverage: false,
  };
}
