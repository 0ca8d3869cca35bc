import { isJsonObject, objectsIn, textsIn } from "#base";
import type { WebSettings } from "../search-config.ts";
import { callService } from "../service-call.ts";
import { withDomains } from "./domains.ts";
import { type ProviderDeps, toWebHit, type WebProvider } from "./provider.ts";

/** Programmable Search Engine by its JSON API (`customsearch/v1`), at most ten results a call. */
export function createProgrammable(
  { endpoint, apiKey, engineId }: Extract<WebSettings, { kind: "programmable" }>,
  { egress }: ProviderDeps,
): WebProvider {
  return async ({ query, preferredDomains, excludedDomains, limit, signal }) => {
    const siteQuery = withDomains(query, preferredDomains, excludedDomains);
    const parameters = new URLSearchParams({
      key: apiKey,
      cx: engineId,
      q: siteQuery,
      num: String(Math.min(10, limit)),
    });
    const url = `${endpoint || "https://customsearch.googleapis.com"}/customsearch/v1?${parameters}`;
    const response = await callService({ service: "Programmable Search", url, secrets: [apiKey], signal }, egress);
    const items = objectsIn(response.items);
    return {
      hits: items.flatMap(
        ({ title, link, snippet }, rank) => toWebHit({ title, uri: link, text: snippet }, rank) ?? [],
      ),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `https://cse.google.com/cse?${new URLSearchParams({ cx: engineId, q: siteQuery })}` }],
    };
  };
}

/** Brave Search by its web search API. */
export function createBrave(
  { endpoint, apiKey }: Extract<WebSettings, { kind: "brave" }>,
  { egress }: ProviderDeps,
): WebProvider {
  return async ({ query, preferredDomains, excludedDomains, limit, signal }) => {
    const siteQuery = withDomains(query, preferredDomains, excludedDomains);
    const parameters = new URLSearchParams({ q: siteQuery, count: String(Math.min(20, limit)) });
    const url = `${endpoint || "https://api.search.brave.com"}/res/v1/web/search?${parameters}`;
    const headers = { "x-subscription-token": apiKey };
    const response = await callService({ service: "Brave Search", url, headers, secrets: [apiKey], signal }, egress);
    const results =
      isJsonObject(response.web) && Array.isArray(response.web.results)
        ? response.web.results.filter(isJsonObject)
        : [];
    return {
      hits: results.flatMap(({ title, url: uri, description, extra_snippets: extra }, rank) => {
        const more = textsIn(extra);
        return toWebHit({ title, uri, text: [description, ...more].join("\n") }, rank) ?? [];
      }),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `https://search.brave.com/search?${new URLSearchParams({ q: siteQuery })}` }],
    };
  };
}

/** A SearXNG instance, whose settings must allow the format `json`. */
export function createSearxng(
  { endpoint }: Extract<WebSettings, { kind: "searxng" }>,
  { egress }: ProviderDeps,
): WebProvider {
  const base = endpoint.replace(/\/+$/, "");
  return async ({ query, preferredDomains, excludedDomains, limit, signal }) => {
    const siteQuery = withDomains(query, preferredDomains, excludedDomains);
    const url = `${base}/search?${new URLSearchParams({ q: siteQuery, format: "json" })}`;
    const response = await callService({ service: "SearXNG", url, secrets: [], signal }, egress);
    const results = objectsIn(response.results).slice(0, limit);
    return {
      hits: results.flatMap(
        ({ title, url: uri, content }, rank) => toWebHit({ title, uri, text: content }, rank) ?? [],
      ),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `${base}/search?${new URLSearchParams({ q: siteQuery })}` }],
    };
  };
}
