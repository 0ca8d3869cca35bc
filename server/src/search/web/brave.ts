import { isJsonObject } from "#base";
import type { WebSettings } from "../search-config.ts";
import { callService } from "../service-call.ts";
import { withDomains } from "./domains.ts";
import { type ProviderDeps, toWebHit, type WebProvider } from "./provider.ts";

/** Brave Search by its web search API. */
export function createBrave(
  { endpoint, apiKey }: Extract<WebSettings, { kind: "brave" }>,
  { egress }: ProviderDeps,
): WebProvider {
  return async ({ query, preferredDomains, excludedDomains, limit, signal }) => {
    const asked = withDomains(query, preferredDomains, excludedDomains);
    const parameters = new URLSearchParams({ q: asked, count: String(Math.min(20, limit)) });
    const url = `${endpoint || "https://api.search.brave.com"}/res/v1/web/search?${parameters}`;
    const headers = { "x-subscription-token": apiKey };
    const answer = await callService({ service: "Brave Search", url, headers, secrets: [apiKey], signal }, egress);
    const results =
      isJsonObject(answer.web) && Array.isArray(answer.web.results) ? answer.web.results.filter(isJsonObject) : [];
    return {
      hits: results.flatMap(({ title, url: uri, description, extra_snippets: extra }, place) => {
        const more = Array.isArray(extra) ? extra.filter((each) => typeof each === "string") : [];
        return toWebHit({ title, uri, text: [description, ...more].join("\n") }, place) ?? [];
      }),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `https://search.brave.com/search?${new URLSearchParams({ q: asked })}` }],
    };
  };
}
