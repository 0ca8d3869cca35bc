import { once } from "node:events";
import type { Search } from "#search";
import type { Replica } from "#storage";

/** Reads what is new in a data store, every so often in milliseconds. */
export interface Crawl {
  readonly store: string;
  readonly everyMs: number;
  /** Resolves when it has ended, or the signal is aborted: the search ends what it reads when it is closed. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What a server tells the others once it has the pages of a data store. */
const CRAWLED = "data-store-crawled";

/** The crawls of a server, which tells the others of each: these index the pages that it has fetched (TOOL-67). */
export function createCrawls(
  search: Pick<Search, "crawls" | "refresh">,
  replica: Pick<Replica, "subscribe" | "tell"> | undefined,
): readonly Crawl[] {
  // What could not be read is told by `Search.onIndexed`, and tried again.
  const refreshed = (store: string) => search.refresh(store).catch(() => {});
  replica?.subscribe(CRAWLED, (store) => void refreshed(store));
  return search.crawls.map(({ store, everyMs }) => ({
    store,
    everyMs,
    run: async (signal) => {
      const ended = new AbortController();
      const stopped = once(signal, "abort", { signal: ended.signal }).catch(() => {});
      if (!signal.aborted) await Promise.race([refreshed(store), stopped]);
      ended.abort();
      if (!signal.aborted) await replica?.tell(CRAWLED, store);
    },
  }));
}
