import { LRUCache } from "lru-cache";
import { shareOfHeap } from "#base";
import type { ConversationHead } from "./contract.ts";

/** Most heads in a cache, and the share of the heap for their states (TURN-93). */
const MOST_HEADS = 1_000;
const SHARE_OF_HEAP = 1 / 24;

/** Heads that were used last, by conversation, as many as have room. `mostBytes`: of their states; a head with a larger one is never kept. */
export function createHeadCache(mostBytes = shareOfHeap(SHARE_OF_HEAP)): LRUCache<string, ConversationHead> {
  return new LRUCache({
    max: MOST_HEADS,
    maxSize: mostBytes,
    sizeCalculation: ({ state }) => Math.max(1, state.length),
  });
}
