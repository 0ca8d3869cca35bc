import { type Clock, unreachable } from "#base";
import { SearchError, type WebAnswer, type WebQuery } from "../contract.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { WebSettings } from "../search-config.ts";
import { createBrave } from "./brave.ts";
import { createContextPages } from "./context-pages.ts";
import { isAllowed } from "./domains.ts";
import { createGeminiGrounding } from "./gemini.ts";
import { createProgrammable } from "./programmable.ts";
import type { ProviderAnswer, ProviderDeps, WebProvider } from "./provider.ts";
import { createSearxng } from "./searxng.ts";

/** What is said to whoever uses a search of the web where none is configured. */
export const NO_WEB_SEARCH =
  "No web search is configured: set search.web in the configuration file (type gemini, programmable, brave or searxng), or GOOGLE_API_KEY";

/** Creates the search of the web: the configured provider beside the pages that a tool names. */
export function createWebSearch(
  settings: WebSettings | undefined,
  deps: ProviderDeps & { readonly parsers: Parsers; readonly clock: Clock },
): (query: WebQuery) => Promise<WebAnswer> {
  const provider = settings && createProvider(settings, deps);
  const pages = createContextPages(deps);
  return async (query) => {
    if (!provider && query.contextUrls.length === 0) throw new SearchError(`${NO_WEB_SEARCH}.`);
    const [found, context] = await Promise.all([provider ? provider(query) : NOTHING, pages.search(query)]);
    if (!provider && context.unread.length === query.contextUrls.length)
      throw new SearchError(`No context page could be read (${context.unread.join("; ")}). ${NO_WEB_SEARCH}.`);
    const { preferredDomains, excludedDomains, limit } = query;
    // A source of Gemini's has an address of Google's, and was looked at by its domain already.
    const isFit = (uri: string) => settings?.kind === "gemini" || isAllowed(uri, preferredDomains, excludedDomains);
    const hits = [...context.hits, ...found.hits.filter(({ uri }) => isFit(uri))].slice(0, limit);
    return { ...found, hits, unread: context.unread };
  };
}

const NOTHING: ProviderAnswer = { hits: [], answer: "", suggestionHtml: [], queries: [] };

function createProvider(settings: WebSettings, deps: ProviderDeps): WebProvider {
  switch (settings.kind) {
    case "gemini":
      return createGeminiGrounding(settings, deps);
    case "programmable":
      return createProgrammable(settings, deps);
    case "brave":
      return createBrave(settings, deps);
    case "searxng":
      return createSearxng(settings, deps);
    default:
      return unreachable(settings);
  }
}
