import { isJsonObject } from "#base";
import type { WebSettings } from "../search-config.ts";
import { callService } from "../service-call.ts";
import { withDomains } from "./domains.ts";
import { type ProviderDeps, toWebHit, type WebProvider } from "./provider.ts";

/** A SearXNG instance, whose settings must allow the format `json`. */
export function createSearxng(
  { endpoint }: Extract<WebSettings, { kind: "searxng" }>,
  { egress }: ProviderDeps,
): WebProvider {
  const base = endpoint.replace(/\/+$/, "");
  return async ({ query, preferredDomains, excludedDomains, limit, signal }) => {
    const asked = withDomains(query, preferredDomains, excludedDomains);
    const url = `${base}/search?${new URLSearchParams({ q: asked, format: "json" })}`;
    const answer = await callService({ service: "SearXNG", url, secrets: [], signal }, egress);
    const results = Array.isArray(answer.results) ? answer.results.filter(isJsonObject).slice(0, limit) : [];
    return {
      hits: results.flatMap(
        ({ title, url: uri, content }, place) => toWebHit({ title, uri, text: content }, place) ?? [],
      ),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `${base}/search?${new URLSearchParams({ q: asked })}` }],
    };
  };
}
