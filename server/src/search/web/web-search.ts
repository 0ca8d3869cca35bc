import { type Clock, unreachable } from "#base";
import { SearchError, type WebAnswer, type WebQuery } from "../contract.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { WebSettings } from "../search-config.ts";
import { createContextPages } from "./context-pages.ts";
import { isAllowed } from "./domains.ts";
import { createGeminiGrounding } from "./gemini.ts";
import type { ProviderAnswer, ProviderDeps, WebProvider } from "./provider.ts";
import { createBrave, createProgrammable, createSearxng } from "./search-engines.ts";

/** The error of a web search where none is configured, without a full stop. */
export const NO_WEB_SEARCH =
  "No web search is configured: set search.web in the configuration file (type gemini, programmable, brave or searxng), or GOOGLE_API_KEY";

/** Creates the web search: the configured provider, and the context pages of a tool. */
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
    // Gemini's sources have redirect URLs of Google; their domains were checked before.
    const isAllowedHit = (uri: string) =>
      settings?.kind === "gemini" || isAllowed(uri, preferredDomains, excludedDomains);
    const hits = [...context.hits, ...found.hits.filter(({ uri }) => isAllowedHit(uri))].slice(0, limit);
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
