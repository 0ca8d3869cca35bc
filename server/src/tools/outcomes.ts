import type { JsonObject } from "#base";
import type { OutputLine, PythonFrame } from "#sandbox";
import type {
  CitedSource,
  FailedTool,
  NestedCall,
  SearchSuggestions,
  ToolOutcome,
  ToolStateChange,
} from "./contract.ts";

/** What model and callbacks see of a failed call (TOOL-4). */
export function toolError(error: string): JsonObject {
  return { status: "error", error };
}

/** A call that failed before or outside user code. */
export function failed(error: string, record: Partial<FailureRecord> = {}): FailedTool {
  const { durationMs = 0, output = [], state = NO_CHANGE, frames = [], calls = [] } = record;
  return { kind: "failed", response: toolError(error), error, durationMs, output, state, frames, calls };
}

interface FailureRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  readonly frames: readonly PythonFrame[];
  readonly calls: readonly NestedCall[];
}

/** No variable changed. */
export const NO_CHANGE: ToolStateChange = Object.freeze({ set: Object.freeze({}), removed: Object.freeze([]) });

/** Several changes as one: by key, the last writer wins (TOOL-5). */
export function mergeChanges(changes: readonly ToolStateChange[]): ToolStateChange {
  if (changes.length <= 1) return changes[0] ?? NO_CHANGE;
  const set: JsonObject = {};
  const removed = new Set<string>();
  for (const change of changes) {
    for (const name of change.removed) {
      delete set[name];
      removed.add(name);
    }
    for (const [name, value] of Object.entries(change.set)) {
      set[name] = value;
      removed.delete(name);
    }
  }
  return { set, removed: [...removed] };
}

/** Where answers of tools come from, in the order in which it was found. */
export interface Sources {
  readonly cited: readonly CitedSource[];
  readonly suggestions: readonly SearchSuggestions[];
}

/** What an answer comes from, tools that were called on the way included. */
export function collectSources(outcome: Pick<ToolOutcome, "sources" | "suggestions" | "calls">): Sources {
  const inner = (outcome.calls ?? []).map((call) => collectSources(call.outcome));
  return {
    cited: [...(outcome.sources ?? []), ...inner.flatMap(({ cited }) => cited)],
    suggestions: [...(outcome.suggestions ? [outcome.suggestions] : []), ...inner.flatMap((each) => each.suggestions)],
  };
}

/** Sources as `Citations` are made of them. */
export function toCitations(cited: readonly CitedSource[]) {
  return { citedChunks: cited.map((source) => ({ ...source })) };
}

/** Suggestions of all searches as one `GoogleSearchSuggestions` is made of them. */
export function toSearchSuggestions(suggestions: readonly SearchSuggestions[]) {
  return {
    htmls: suggestions.flatMap(({ htmls }) => [...htmls]),
    webSearchQueries: suggestions.flatMap(({ queries }) => queries.map((each) => ({ ...each }))),
  };
}
