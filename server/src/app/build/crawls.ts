import type { Search } from "#search";
import type { Replica } from "#storage";

/** Reads what is new in a data store, every so often in milliseconds. */
export interface Crawl {
  readonly store: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** What a server tells the others once it has the pages of a data store. */
const CRAWLED = "data-store-crawled";

/** The crawls of a server, which tells the others of each: these index the pages that it has fetched (TOOL-67). */
export function createCrawls(
  search: Pick<Search, "crawls" | "refresh">,
  replica: Replica | undefined,
): readonly Crawl[] {
  // What could not be read is told by `Search.onIndexed`, and tried again.
  const refreshed = (store: string) => search.refresh(store).catch(() => {});
  replica?.subscribe(CRAWLED, (store) => void refreshed(store));
  return search.crawls.map(({ store, everyMs }) => ({
    store,
    everyMs,
    run: async () => {
      await refreshed(store);
      await replica?.tell(CRAWLED, store);
    },
  }));
}
