import type { Clock } from "#base";
import type { SearchHit, WebQuery } from "../contract.ts";
import { DocumentFault } from "../documents/parsed-document.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import { SearchIndex } from "../index/search-index.ts";
import { readPage } from "./read-page.ts";

/** Pages that tools name as context. */
export interface ContextPages {
  /** The passages of the pages that fit the question, and the pages that could not be read. */
  search(query: WebQuery): Promise<{ readonly hits: readonly SearchHit[]; readonly unread: readonly string[] }>;
}

/** How long a page is taken as it was, milliseconds: a conversation asks about the same page more than once. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 200;
/** Most pages of one tool (google_search_tool.proto). */
const MAX_URLS = 20;
const MAX_PASSAGES = 5;

interface KeptPage {
  readonly since: number;
  readonly documents: readonly PreparedDocument[];
}

/** Creates the reader of context pages; what it read it keeps for ten minutes, by app and address. */
export function createContextPages({
  parsers,
  clock,
}: {
  readonly parsers: Parsers;
  readonly clock: Clock;
}): ContextPages {
  const kept = new Map<string, KeptPage>();

  async function pageAt(url: string, { egress, signal, owner }: WebQuery): Promise<readonly PreparedDocument[]> {
    const key = `${owner} ${url}`;
    const known = kept.get(key);
    if (known && clock.now() - known.since < KEPT_MS) return known.documents;
    const { bytes, kind } = await readPage(url, egress, signal);
    const documents = await parsers.parse(bytes, kind);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, { since: clock.now(), documents });
    return documents;
  }

  return {
    search: async (query) => {
      const urls = query.contextUrls.slice(0, MAX_URLS);
      if (urls.length === 0) return { hits: [], unread: [] };
      const pages = await Promise.allSettled(urls.map((url) => pageAt(url, query)));
      query.signal.throwIfAborted();
      const unread = pages.flatMap((page, at) =>
        page.status === "rejected" ? [faultOf(page.reason, urls[at] ?? "")] : [],
      );
      const hits = await passagesOf(urls, pages, query.query);
      return { hits, unread };
    },
  };
}

function faultOf(error: unknown, url: string): string {
  const why = error instanceof DocumentFault || error instanceof Error ? error.message : String(error);
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
