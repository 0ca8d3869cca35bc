import type { CitedSource, SearchSuggestions, ToolOutcome } from "./contract.ts";

/** Where answers of tools come from, in the order in which it was found. */
export interface Sources {
  readonly cited: readonly CitedSource[];
  readonly suggestions: readonly SearchSuggestions[];
}

/** What an answer comes from, tools that were called on the way included. */
export function sourcesOf(outcome: Pick<ToolOutcome, "sources" | "suggestions" | "calls">): Sources {
  const inner = (outcome.calls ?? []).map((call) => sourcesOf(call.outcome));
  return {
    cited: [...(outcome.sources ?? []), ...inner.flatMap(({ cited }) => cited)],
    suggestions: [...(outcome.suggestions ? [outcome.suggestions] : []), ...inner.flatMap((each) => each.suggestions)],
  };
}

/** Sources as `Citations` are made of them. */
export function citationsOf(cited: readonly CitedSource[]) {
  return { citedChunks: cited.map((source) => ({ ...source })) };
}

/** Suggestions of all searches as one `GoogleSearchSuggestions` is made of them. */
export function suggestionsOf(suggestions: readonly SearchSuggestions[]) {
  return {
    htmls: suggestions.flatMap(({ htmls }) => [...htmls]),
    webSearchQueries: suggestions.flatMap(({ queries }) => queries.map((each) => ({ ...each }))),
  };
}
