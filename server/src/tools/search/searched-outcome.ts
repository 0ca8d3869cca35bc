import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { SearchError, type SearchHit } from "#search";
import { ConnectError } from "#status";
import type { CitedSource, SearchSuggestions, ToolOutcome } from "../contract.ts";
import { NO_CHANGE } from "../merge-changes.ts";
import { failed } from "../outcomes.ts";
import { limitsOf } from "../python-function.ts";

/** What a search came to: what the model sees, what clients are told, and what the trace shows. */
export interface Searched {
  readonly response: JsonObject;
  readonly sources: readonly CitedSource[];
  readonly suggestions?: SearchSuggestions;
  readonly trace: JsonObject;
}

/** Runs a search within the tool's time limit. What cannot be searched is the model's to hear. */
export async function searchedOutcome(
  tool: Tool,
  signal: AbortSignal,
  search: (signal: AbortSignal) => Promise<Searched>,
): Promise<ToolOutcome> {
  const startedAt = performance.now();
  const { wallMs: timeoutMs } = limitsOf(tool);
  const limit = AbortSignal.timeout(Math.ceil(timeoutMs));
  const durationMs = () => performance.now() - startedAt;
  try {
    const { response, ...rest } = await search(AbortSignal.any([signal, limit]));
    return { kind: "answered", response, durationMs: durationMs(), output: [], state: NO_CHANGE, ...rest };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      return failed(`The search took longer than ${timeoutMs / 1000} s.`, { durationMs: durationMs() });
    if (error instanceof SearchError) return failed(error.message, { durationMs: durationMs() });
    if (error instanceof ConnectError) return failed(error.rawMessage, { durationMs: durationMs() });
    throw error;
  }
}

/** A found passage as clients cite it. */
export function toSource({ uri, title, text }: SearchHit, requiresAttribution: boolean): CitedSource {
  return { uri, title, text, requiresAttribution };
}

/** A found passage as the model reads it. */
export function toSnippet({ title, uri, text }: SearchHit): JsonObject {
  return { title, uri, text };
}

/** JSON Schema of passages. */
export const SNIPPETS: JsonObject = {
  type: "array",
  description: "Passages that were found, the best first.",
  items: {
    type: "object",
    properties: { title: { type: "string" }, uri: { type: "string" }, text: { type: "string" } },
  },
};
