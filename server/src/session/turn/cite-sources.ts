import { create } from "@bufbuild/protobuf";
import { GoogleSearchSuggestionsSchema } from "@frontdesk/protos/ces/search_suggestions";
import { CitationsSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import {
  type CitedSource,
  collectSources,
  type Sources,
  type ToolOutcome,
  toCitations,
  toSearchSuggestions,
} from "#tools";
import type { TurnEvent } from "../contract.ts";
import { outputEvent } from "./events.ts";
import type { TurnRun } from "./turn-context.ts";

/** Nothing to cite. */
export const NO_SOURCES: Sources = { cited: [], suggestions: [] };

/** Remembers what a tool's answer comes from; the same passage is cited once a turn. */
export function noteSources(turn: TurnRun, outcome: Pick<ToolOutcome, "sources" | "suggestions" | "calls">): void {
  const { cited, suggestions } = collectSources(outcome);
  if (cited.length === 0 && suggestions.length === 0) return;
  const known = new Set(turn.sources.cited.map(keyOf));
  turn.sources = {
    cited: [...turn.sources.cited, ...cited.filter((source) => !known.has(keyOf(source)))],
    suggestions: [...turn.sources.suggestions, ...suggestions],
  };
}

/**
 * Tells the client where what was said comes from (TOOL-32): after the words, before the session may end (SessionOutput.citations). A
 * recorded message has no place for that, so the trace has it as well: whoever reads the conversation later sees the same.
 */
export function* citeSources(turn: TurnRun): Generator<TurnEvent, void> {
  const { cited, suggestions } = turn.sources;
  if (cited.length > 0 || suggestions.length > 0) turn.spans.start("Citations").end(tracedSources(turn.sources));
  if (cited.length > 0)
    yield outputEvent(turn, { case: "citations", value: create(CitationsSchema, toCitations(cited)) });
  if (suggestions.length > 0) {
    const value = create(GoogleSearchSuggestionsSchema, toSearchSuggestions(suggestions));
    yield outputEvent(turn, { case: "googleSearchSuggestions", value });
  }
  turn.sources = NO_SOURCES;
}

function tracedSources({ cited, suggestions }: Sources): JsonObject {
  const queries = suggestions.flatMap((each) => each.queries.map(({ query }) => query));
  return {
    ...(cited.length > 0 && { cited: cited.map(({ uri, title, text }) => ({ uri, title, text })) }),
    ...(queries.length > 0 && { queries }),
  };
}

function keyOf({ uri, text }: CitedSource): string {
  return `${uri}\n${text}`;
}
