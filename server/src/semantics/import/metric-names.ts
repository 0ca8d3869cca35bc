/** A measure of a cube or view, which becomes a metric. */
export interface OwnedName {
  readonly owner: string;
  readonly name: string;
}

/** Names of metrics: the measure's own where no other has it and it says what is counted, else with its owner. */
export function metricNames(all: readonly OwnedName[]): (measure: OwnedName) => string {
  const owners = new Set(all.map(({ owner }) => owner));
  const namesakes = Map.groupBy(all, ({ name }) => name);
  return ({ owner, name }) => {
    const isUnique = namesakes.get(name)?.length === 1;
    return isUnique && name !== "count" && !owners.has(name) ? name : `${owner}_${name}`;
  };
}

/** What people call a count of all rows: the name of the rows. */
export function countSynonyms(owner: string): readonly string[] {
  const words = owner.replaceAll("_", " ");
  return [words, `number of ${words}`];
}
