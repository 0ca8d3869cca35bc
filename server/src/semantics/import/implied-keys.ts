import type { Dataset, ModelRelationship } from "../model/model.ts";

/** A format that says which side of a join is one says that the columns of that side are a key. */
export function withImpliedKeys(
  datasets: readonly Dataset[],
  relationships: readonly ModelRelationship[],
): readonly Dataset[] {
  return datasets.map((dataset) => {
    const keys = [...dataset.keys];
    for (const { to, columns } of relationships) {
      const key = columns.map(([, column]) => column);
      const isKnown = keys.some((known) => known.every((column) => key.includes(column)));
      if (to === dataset.name && !isKnown) keys.push(key);
    }
    return { ...dataset, keys };
  });
}
