import type { JsonObject } from "#base";

/** A passage by its number, and how well it fits. Higher is better. */
export interface Ranked {
  readonly chunk: number;
  readonly relevance: number;
}

/** Whether a document counts, by what is known of it. */
export type Accepts = (data: JsonObject) => boolean;

/** Reciprocal rank fusion: how little a place further down weighs less. */
const FUSION = 20;

/** One list of several, by places: scores of words and of vectors are not comparable. */
export function fuse(...lists: readonly (readonly Ranked[])[]): readonly Ranked[] {
  const sums = new Map<number, number>();
  for (const list of lists)
    for (const [place, { chunk }] of list.entries()) sums.set(chunk, (sums.get(chunk) ?? 0) + 1 / (FUSION + place + 1));
  return [...sums].map(([chunk, relevance]) => ({ chunk, relevance })).sort(byRelevance);
}

export function byRelevance(first: Ranked, second: Ranked): number {
  return second.relevance - first.relevance;
}
