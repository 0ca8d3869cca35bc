import type { JsonObject } from "#base";

/** A passage by its row id, and its relevance. Higher is better. */
export interface RankedPassage {
  readonly chunk: number;
  readonly relevance: number;
}

/** Whether a document matches a filter, by its metadata. */
export type Accepts = (data: JsonObject) => boolean;

/** Constant k of reciprocal rank fusion: the larger, the less a rank matters. */
const FUSION = 20;

/** Reciprocal rank fusion: merges lists by rank, because lexical and vector scores are not comparable. */
export function fuse(...lists: readonly (readonly RankedPassage[])[]): readonly RankedPassage[] {
  const sums = new Map<number, number>();
  for (const list of lists)
    for (const [rank, { chunk }] of list.entries()) sums.set(chunk, (sums.get(chunk) ?? 0) + 1 / (FUSION + rank + 1));
  return [...sums].map(([chunk, relevance]) => ({ chunk, relevance })).sort(byRelevance);
}

/** Orders passages, the most relevant first. */
export function byRelevance(first: RankedPassage, second: RankedPassage): number {
  return second.relevance - first.relevance;
}
