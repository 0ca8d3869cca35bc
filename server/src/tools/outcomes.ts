import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GoogleSearchSuggestionsSchema } from "@frontdesk/protos/ces/search_suggestions";
import { type JsonObject, mergeJson } from "#base";
import type { OutputLine, PythonFrame } from "#sandbox";
import type {
  CitedSource,
  FailedTool,
  NestedCall,
  SearchSuggestions,
  ToolOutcome,
  ToolStateChange,
} from "./contract.ts";

/** The function response of a failed call (TOOL-4). */
export function toolError(error: string): JsonObject {
  return { status: "error", error };
}

/** The outcome of a failed call. `more`: what else the response has. */
export function failed(error: string, record: Partial<FailureRecord> = {}, more: JsonObject = {}): FailedTool {
  const { durationMs = 0, output = [], state = NO_CHANGE, frames = [], calls = [] } = record;
  return {
    kind: "failed",
    response: { ...more, ...toolError(error) },
    error,
    durationMs,
    output,
    state,
    frames,
    calls,
  };
}

interface FailureRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  readonly frames: readonly PythonFrame[];
  readonly calls: readonly NestedCall[];
}

/** What the trace shows of a call besides its response, e.g. that a credential was not sent. */
export function noticeLines(...notices: readonly (string | undefined)[]): readonly OutputLine[] {
  return notices.flatMap((text) => (text === undefined ? [] : [{ stream: "stderr" as const, text }]));
}

/** An empty state delta. */
export const NO_CHANGE: ToolStateChange = Object.freeze({ set: Object.freeze({}), removed: Object.freeze([]) });

/** Merges state deltas: for each key, the last writer wins (TOOL-5). */
export function mergeChanges(changes: readonly ToolStateChange[]): ToolStateChange {
  if (changes.length <= 1) return changes[0] ?? NO_CHANGE;
  let set: JsonObject = {};
  const removed = new Set<string>();
  for (const change of changes) {
    for (const name of change.removed) {
      delete set[name];
      removed.add(name);
    }
    set = mergeJson(set, change.set);
    for (const name of Object.keys(change.set)) removed.delete(name);
  }
  return { set, removed: [...removed] };
}

/** Sources and search suggestions of tool responses, in the order of the calls. */
export interface Sources {
  readonly cited: readonly CitedSource[];
  readonly suggestions: readonly SearchSuggestions[];
}

/** The sources of a tool's response, those of nested tool calls included. */
export function collectSources(outcome: Pick<ToolOutcome, "sources" | "suggestions" | "calls">): Sources {
  const inner = (outcome.calls ?? []).map((call) => collectSources(call.outcome));
  return {
    cited: [...(outcome.sources ?? []), ...inner.flatMap(({ cited }) => cited)],
    suggestions: [...(outcome.suggestions ? [outcome.suggestions] : []), ...inner.flatMap((each) => each.suggestions)],
  };
}

/** Sources as fields of `Citations`. */
export function toCitations(cited: readonly CitedSource[]) {
  return { citedChunks: cited.map((source) => ({ ...source })) };
}

/** Suggestions of all searches as fields of one `GoogleSearchSuggestions`. */
export function toSearchSuggestions(
  suggestions: readonly SearchSuggestions[],
): MessageInitShape<typeof GoogleSearchSuggestionsSchema> {
  return {
    htmls: suggestions.flatMap(({ htmls }) => [...htmls]),
    webSearchQueries: suggestions.flatMap(({ queries }) => queries.map((each) => ({ ...each }))),
  };
}
