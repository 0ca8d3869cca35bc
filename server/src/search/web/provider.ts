import type { Egress, JsonValue } from "#base";
import type { AccessToken } from "#google";
import type { SearchHit, WebAnswer, WebQuery } from "../contract.ts";
import { plainText } from "../text/plain-text.ts";

/** A web search provider: runs one query. Rejects with `SearchError`. */
export type WebProvider = (query: ProviderQuery) => Promise<ProviderAnswer>;

export type ProviderQuery = Pick<
  WebQuery,
  "query" | "preferredDomains" | "excludedDomains" | "instructions" | "limit" | "signal"
>;

export type ProviderAnswer = Pick<WebAnswer, "hits" | "answer" | "suggestionHtml" | "queries">;

export interface ProviderDeps {
  /** Reaches the services that the operator configured. */
  readonly egress: Pick<Egress, "fetch">;
  readonly accessToken: AccessToken;
}

/** A result of a search engine, scored by its rank. Undefined for one without a URL. */
export function toWebHit(
  {
    title,
    uri,
    text,
  }: {
    readonly title: JsonValue | undefined;
    readonly uri: JsonValue | undefined;
    readonly text: JsonValue | undefined;
  },
  rank: number,
): SearchHit | undefined {
  if (typeof uri !== "string" || !/^https?:/.test(uri)) return undefined;
  const words = (value: JsonValue | undefined) => (typeof value === "string" ? plainText(value) : "");
  return { store: "", uri, title: words(title), text: words(text), data: {}, score: 1 / (1 + rank / 10) };
}
