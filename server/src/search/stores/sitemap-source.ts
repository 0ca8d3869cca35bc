import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import { type Clock, type Egress, EgressError, type Logger } from "#base";
import { SearchError } from "../contract.ts";
import type { Language } from "../text/languages.ts";
import { readPage } from "../web/read-page.ts";
import { type PageStore, sharedPage } from "./shared-pages.ts";
import type { DocumentSource, SourceItem } from "./source.ts";

const SITEMAP_BYTES = 50 * 1024 * 1024;
const SITEMAP_MS = 20_000;
/** Limit of sitemaps in a sitemap index. */
const MAX_SITEMAPS = 50;

/** A sitemap whose pages are a data store. */
export interface SitemapSettings {
  readonly sitemap: string;
  /** Maximum number of pages. */
  readonly maxPages: number;
  /** Milliseconds after which the sitemap is read again, and pages without `lastmod`, too. */
  readonly refreshMs: number;
  /** Language of the pages. Default: detected for each page. */
  readonly language?: Language;
}

export interface SitemapDeps {
  readonly egress: Pick<Egress, "fetch">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where several servers share their pages. */
  readonly pages?: PageStore | undefined;
}

/** Rounds of reading for which a shared page is kept: servers that begin a round later find the pages of the others. */
const ROUNDS_KEPT = 2;

/** The pages of a sitemap on its own host, fetched through the egress gate. */
export function createSitemapSource(settings: SitemapSettings, deps: SitemapDeps): DocumentSource {
  const { egress, clock, logger, pages } = deps;
  const keptMs = ROUNDS_KEPT * settings.refreshMs;
  return {
    refreshMs: settings.refreshMs,
    language: settings.language,
    list: async () => {
      const entries = await readSitemaps(settings, egress);
      const round = Math.floor(clock.now() / settings.refreshMs);
      const items = entries.map((entry) => toItem(entry, round, egress));
      if (!pages) return items;
      // An outage is one line, and not one for each of thousands of pages.
      let isTold = false;
      const onFault = (err: unknown) => {
        if (!isTold) logger.warn({ err, sitemap: settings.sitemap }, "pages are not shared with the other servers");
        isTold = true;
      };
      return items.map((item) => sharedPage(item, { pages, clock, onFault, keptMs }));
    },
  };
}

interface Entry {
  readonly location: string;
  readonly changed: string;
}

function toItem({ location, changed }: Entry, round: number, egress: Pick<Egress, "fetch">): SourceItem {
  const read = () => readPage(location, egress);
  return { path: location, uri: location, title: location, stamp: changed || `round ${round}`, data: {}, read };
}

async function readSitemaps(settings: SitemapSettings, egress: Pick<Egress, "fetch">): Promise<readonly Entry[]> {
  const host = new URL(settings.sitemap).host;
  const pages = new Map<string, Entry>();
  const waiting = [settings.sitemap];
  for (let read = 0; waiting.length > 0 && read < MAX_SITEMAPS && pages.size < settings.maxPages; read++) {
    const { pages: found, sitemaps } = parseSitemap(await fetchSitemap(waiting.shift() ?? "", egress));
    waiting.push(...sitemaps.filter((each) => hostOf(each) === host));
    for (const entry of found)
      if (pages.size < settings.maxPages && hostOf(entry.location) === host) pages.set(entry.location, entry);
  }
  return [...pages.values()];
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? "";
}

async function fetchSitemap(url: string, egress: Pick<Egress, "fetch">): Promise<string> {
  try {
    const request = { method: "GET", url, headers: {}, followRedirects: true };
    const { status, body } = await egress.fetch({ ...request, timeoutMs: SITEMAP_MS, maxBytes: SITEMAP_BYTES });
    if (status !== 200) throw new SearchError(`The sitemap ${url} answers with status ${status}.`);
    const zipped = body[0] === 0x1f && body[1] === 0x8b;
    return new TextDecoder().decode(zipped ? gunzipSync(body, { maxOutputLength: SITEMAP_BYTES }) : body);
  } catch (error) {
    if (error instanceof SearchError) throw error;
    if (error instanceof EgressError || error instanceof Error)
      throw new SearchError(`The sitemap ${url} cannot be read: ${error.message}.`);
    throw error;
  }
}

/** `<url>` and `<sitemap>` entries (sitemaps.org protocol 0.9), by their local names. */
function parseSitemap(xml: string): { readonly pages: readonly Entry[]; readonly sitemaps: readonly string[] } {
  const pages: Entry[] = [];
  const sitemaps: string[] = [];
  let field = "";
  let location = "";
  let changed = "";
  const parser = new Parser(
    {
      onopentag: (name) => {
        field = name;
        if (name === "url" || name === "sitemap") location = changed = "";
      },
      ontext: (text) => {
        if (field === "loc") location += text;
        if (field === "lastmod") changed += text;
      },
      onclosetag: (name) => {
        field = "";
        if (name === "url") pages.push({ location: location.trim(), changed: changed.trim() });
        if (name === "sitemap") sitemaps.push(location.trim());
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
  return { pages, sitemaps };
}
