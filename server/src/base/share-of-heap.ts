import { getHeapStatistics } from "node:v8";

/** Bytes: a share of the memory that this process may take for objects, for what is kept in it until there is no room. */
export function shareOfHeap(share: number): number {
  return Math.round(getHeapStatistics().heap_size_limit * share);
}
