import { type JsonObject, objectOrEmpty, objectsIn } from "#base";
import { vertexBaseUrl } from "#models";
import type { SearchHit } from "../contract.ts";
import type { WebSettings } from "../search-config.ts";
import { callService } from "../service-call.ts";
import { isAllowed } from "./domains.ts";
import { type ProviderAnswer, type ProviderDeps, type ProviderQuery, toWebHit, type WebProvider } from "./provider.ts";

type GeminiSettings = Extract<WebSettings, { kind: "gemini" }>;

/** Longer than for a search engine, because the model searches and writes. */
const TIMEOUT_MS = 60_000;

/**
 * Grounding with Google Search by Gemini: the model searches, answers and cites its sources. Domains are only instructions to the model,
 * so an answer with a source of another domain is dropped and only the allowed sources are returned.
 */
export function createGeminiGrounding(settings: GeminiSettings, deps: ProviderDeps): WebProvider {
  return async (query) => {
    const { headers, secrets } = await credentials(settings, deps);
    const response = await callService(
      {
        service: "Gemini",
        url: urlOf(settings),
        headers,
        body: toRequest(query, settings),
        secrets,
        signal: query.signal,
        timeoutMs: TIMEOUT_MS,
      },
      deps.egress,
    );
    const [candidate] = objectsIn(response.candidates);
    return toAnswer(candidate ?? {}, query);
  };
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

async function credentials({ access }: GeminiSettings, { accessToken }: ProviderDeps): Promise<Credentials> {
  if (access.kind === "api-key") return { headers: { "x-goog-api-key": access.apiKey }, secrets: [access.apiKey] };
  const token = await accessToken();
  return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
}

function urlOf({ access, endpoint, model }: GeminiSettings): string {
  const name = encodeURIComponent(model);
  if (access.kind === "api-key")
    return `${endpoint || "https://generativelanguage.googleapis.com"}/v1beta/models/${name}:generateContent`;
  const { project, location } = access;
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `${endpoint || vertexBaseUrl(location)}/v1/${place}/publishers/google/models/${name}:generateContent`;
}

function toRequest(
  { query, instructions, preferredDomains, excludedDomains }: ProviderQuery,
  { access }: GeminiSettings,
): JsonObject {
  const only =
    preferredDomains.length > 0 ? `Use only results from these domains: ${preferredDomains.join(", ")}.` : "";
  const without =
    excludedDomains.length > 0 ? `Use no results from these domains: ${excludedDomains.slice(0, 100).join(", ")}.` : "";
  const system = [instructions, only, without].filter((part) => part !== "").join("\n");
  // Only Vertex AI has a field for excluded domains.
  const search: JsonObject =
    access.kind === "vertex" && excludedDomains.length > 0 ? { excludeDomains: [...excludedDomains] } : {};
  return {
    contents: [{ role: "user", parts: [{ text: query }] }],
    tools: [{ googleSearch: search }],
    ...(system !== "" && { systemInstruction: { parts: [{ text: system }] } }),
  };
}

function toAnswer(candidate: JsonObject, { preferredDomains, excludedDomains }: ProviderQuery): ProviderAnswer {
  const metadata = objectOrEmpty(candidate.groundingMetadata);
  const sources = objectsIn(metadata.groundingChunks).map(({ web }) => objectOrEmpty(web));
  const allowed = sources.map((source) => isAllowed(domainOf(source), preferredDomains, excludedDomains));
  const text = objectsIn(objectOrEmpty(candidate.content).parts)
    .flatMap(({ text: words, thought }) => (typeof words === "string" && thought !== true ? [words] : []))
    .join("");
  const entry = objectOrEmpty(metadata.searchEntryPoint).renderedContent;
  const queries = Array.isArray(metadata.webSearchQueries) ? metadata.webSearchQueries : [];
  return {
    hits: toHits(sources, allowed, objectsIn(metadata.groundingSupports)),
    answer: allowed.every(Boolean) ? text.trim() : "",
    suggestionHtml: typeof entry === "string" ? [entry] : [],
    queries: queries
      .filter((each) => typeof each === "string")
      .map((each) => ({ query: each, uri: `https://www.google.com/search?${new URLSearchParams({ q: each })}` })),
  };
}

/** A source has no text of its own; its text is what the answer cites from it. */
function toHits(
  sources: readonly JsonObject[],
  allowed: readonly boolean[],
  supports: readonly JsonObject[],
): readonly SearchHit[] {
  return sources.flatMap(({ uri, title }, at) => {
    if (!allowed[at]) return [];
    const taken = supports
      .filter(({ groundingChunkIndices: indices }) => Array.isArray(indices) && indices.includes(at))
      .map(({ segment }) => objectOrEmpty(segment).text)
      .filter((text) => typeof text === "string");
    return toWebHit({ title, uri, text: taken.join(" ") }, at) ?? [];
  });
}

/** URLs are redirects of Google; the domain is a field beside them or the title. */
function domainOf({ domain, title, uri }: JsonObject): string {
  return [domain, title, uri].find((each): each is string => typeof each === "string" && each !== "") ?? "";
}
