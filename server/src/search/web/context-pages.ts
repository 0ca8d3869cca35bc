import { LRUCache } from "lru-cache";
import { type Clock, thrownMessage } from "#base";
import type { SearchHit, WebQuery } from "../contract.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import { SearchIndex } from "../index/search-index.ts";
import { readPage } from "./read-page.ts";

/** Pages that tools name as context. */
interface ContextPages {
  /** The matching passages of the pages, and the pages that could not be read. */
  search(query: WebQuery): Promise<{ readonly hits: readonly SearchHit[]; readonly unread: readonly string[] }>;
}

/** How long a page is cached, milliseconds: a conversation often asks about the same page again. */
const CACHE_MS = 10 * 60_000;
const MAX_PAGES = 200;
/** Limit of pages of one tool (google_search_tool.proto). */
const MAX_URLS = 20;
const MAX_PASSAGES = 5;

interface CachedPage {
  readonly fetchedAt: number;
  readonly documents: readonly PreparedDocument[];
}

/** Creates the reader of context pages. It caches pages for ten minutes, by app and URL. */
export function createContextPages({
  parsers,
  clock,
}: {
  readonly parsers: Parsers;
  readonly clock: Clock;
}): ContextPages {
  const pages = new LRUCache<string, CachedPage>({ max: MAX_PAGES });

  async function pageAt(url: string, { egress, signal, owner }: WebQuery): Promise<readonly PreparedDocument[]> {
    const key = `${owner} ${url}`;
    const cached = pages.get(key);
    if (cached && clock.now() - cached.fetchedAt < CACHE_MS) return cached.documents;
    const { bytes, kind } = await readPage(url, egress, signal);
    const documents = await parsers.parse(bytes, kind);
    pages.set(key, { fetchedAt: clock.now(), documents });
    return documents;
  }

  return {
    search: async (query) => {
      const urls = query.contextUrls.slice(0, MAX_URLS);
      if (urls.length === 0) return { hits: [], unread: [] };
      const results = await Promise.allSettled(urls.map((url) => pageAt(url, query)));
      query.signal.throwIfAborted();
      const unread = results.flatMap((result, at) =>
        result.status === "rejected" ? [faultOf(result.reason, urls[at] ?? "")] : [],
      );
      const hits = await passagesOf(urls, results, query.query);
      return { hits, unread };
    },
  };
}

function faultOf(error: unknown, url: string): string {
  const why = thrownMessage(error);
  return `${url}: ${why}`;
}

async function passagesOf(
  urls: readonly string[],
  pages: readonly PromiseSettledResult<readonly PreparedDocument[]>[],
  query: string,
): Promise<readonly SearchHit[]> {
  const index = new SearchIndex(":memory:");
  try {
    for (const [at, page] of pages.entries()) {
      const url = urls[at] ?? "";
      if (page.status === "fulfilled")
        await index.put({ path: `${at} ${url}`, stamp: "read" }, { uri: url, documents: page.value });
    }
    return index.search({ query, limit: MAX_PASSAGES }).map(({ uri, title, text }, place) => ({
      store: "",
      uri,
      title: title || uri,
      text,
      data: {},
      score: 2 / (1 + place / 10),
    }));
  } finally {
    index.close();
  }
}
