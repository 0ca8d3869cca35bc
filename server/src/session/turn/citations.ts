import { create } from "@bufbuild/protobuf";
import { GoogleSearchSuggestionsSchema } from "@frontdesk/protos/ces/search_suggestions";
import { CitationsSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import { type Sources, toCitations, toSearchSuggestions } from "#tools";
import type { TurnEvent } from "../contract.ts";
import type { Turn } from "./turn-context.ts";

/**
 * Sends the client the sources of the answer (TOOL-32): after its text, before the session may end (SessionOutput.citations). A recorded
 * message has no field for them, so the trace has them as well, for readers of the stored conversation.
 */
export function* citeSources({ state, spans, events }: Pick<Turn, "state" | "spans" | "events">): Generator<TurnEvent> {
  const { cited, suggestions } = state.sources;
  if (cited.length > 0 || suggestions.length > 0) spans.start("Citations").end(sourceAttributes(state.sources));
  if (cited.length > 0) yield events.output({ case: "citations", value: create(CitationsSchema, toCitations(cited)) });
  if (suggestions.length > 0) {
    const value = create(GoogleSearchSuggestionsSchema, toSearchSuggestions(suggestions));
    yield events.output({ case: "googleSearchSuggestions", value });
  }
  state.clearSources();
}

function sourceAttributes({ cited, suggestions }: Sources): JsonObject {
  const queries = suggestions.flatMap((each) => each.queries.map(({ query }) => query));
  return {
    ...(cited.length > 0 && { cited: cited.map(({ uri, title, text }) => ({ uri, title, text })) }),
    ...(queries.length > 0 && { queries }),
  };
}
