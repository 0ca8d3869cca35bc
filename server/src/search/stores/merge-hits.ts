import type { JsonObject } from "#base";
import { type Boost, boosted } from "../boost/boost-amount.ts";
import type { SearchHit } from "../contract.ts";
import type { Candidate } from "../index/search-index.ts";

/** What one store found, and how it moves its documents. */
export interface StoreResult {
  readonly store: string;
  readonly candidates: readonly Candidate[];
  readonly boost: Boost;
}

/** Passages with less than this share of the best one's relevance are about something else. */
const LEAST_SHARE = 0.2;
/** Passages of one document among the results. */
const PER_DOCUMENT = 3;

/** The results of several stores as one list, boosted, best first. */
export function mergeHits(results: readonly StoreResult[], limit: number): readonly SearchHit[] {
  const best = Math.max(...results.flatMap(({ candidates }) => candidates.map(({ relevance }) => relevance)), 0);
  if (best === 0) return [];
  const hits = results.flatMap(({ store, candidates, boost }) =>
    candidates
      .filter(({ relevance }) => relevance / best >= LEAST_SHARE)
      .map((candidate) => ({
        key: `${store} ${candidate.document}`,
        hit: toHit(store, candidate, boosted(candidate.relevance / best, boost(candidate.data))),
      })),
  );
  hits.sort((first, second) => second.hit.score - first.hit.score);
  const perDocument = new Map<string, number>();
  return hits
    .filter(({ key }) => {
      const count = (perDocument.get(key) ?? 0) + 1;
      perDocument.set(key, count);
      return count <= PER_DOCUMENT;
    })
    .slice(0, limit)
    .map(({ hit }) => hit);
}

function toHit(store: string, { uri, title, heading, text, data }: Candidate, score: number): SearchHit {
  const shown = heading === "" || heading === title ? text : `${heading}\n${text}`;
  return { store, uri, title, text: shown, data: data satisfies JsonObject, score };
}
