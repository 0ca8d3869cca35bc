import { isJsonObject } from "#base";
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
    const asked = withDomains(query, preferredDomains, excludedDomains);
    const parameters = new URLSearchParams({ key: apiKey, cx: engineId, q: asked, num: String(Math.min(10, limit)) });
    const url = `${endpoint || "https://customsearch.googleapis.com"}/customsearch/v1?${parameters}`;
    const answer = await callService({ service: "Programmable Search", url, secrets: [apiKey], signal }, egress);
    const items = Array.isArray(answer.items) ? answer.items.filter(isJsonObject) : [];
    return {
      hits: items.flatMap(
        ({ title, link, snippet }, place) => toWebHit({ title, uri: link, text: snippet }, place) ?? [],
      ),
      answer: "",
      suggestionHtml: [],
      queries: [{ query, uri: `https://cse.google.com/cse?${new URLSearchParams({ cx: engineId, q: asked })}` }],
    };
  };
}
