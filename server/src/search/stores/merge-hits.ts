import type { JsonObject } from "#base";
import { type Boost, boosted } from "../boost.ts";
import type { SearchHit } from "../contract.ts";
import type { Candidate } from "../index/passages.ts";

/** The candidates of one store and its boost. */
interface StoreResult {
  readonly store: string;
  readonly candidates: readonly Candidate[];
  readonly boost: Boost;
}

/** Passages with less than this share of the best relevance are irrelevant. */
const MIN_SHARE = 0.2;
/** Limit of passages of one document. */
const MAX_PER_DOCUMENT = 3;

/** Boosts and merges the candidates of several stores, best first. */
export function mergeHits(results: readonly StoreResult[], limit: number): readonly SearchHit[] {
  const best = Math.max(...results.flatMap(({ candidates }) => candidates.map(({ relevance }) => relevance)), 0);
  if (best === 0) return [];
  const hits = results.flatMap(({ store, candidates, boost }) =>
    candidates
      .filter(({ relevance }) => relevance / best >= MIN_SHARE)
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
      return count <= MAX_PER_DOCUMENT;
    })
    .slice(0, limit)
    .map(({ hit }) => hit);
}

function toHit(store: string, { uri, title, heading, text, data }: Candidate, score: number): SearchHit {
  const shown = heading === "" || heading === title ? text : `${heading}\n${text}`;
  return { store, uri, title, text: shown, data: data satisfies JsonObject, score };
}
