import type { Tool } from "@frontdesk/protos/ces/tool";
import { type JsonObject, textOrJson } from "#base";
import { SearchError, type SearchHit } from "#search";
import { ConnectError } from "#status";
import type { CitedSource, SearchSuggestions, ToolOutcome } from "../contract.ts";
import { failed, NO_CHANGE } from "../outcomes.ts";
import { toolLimits } from "../tool-limits.ts";

const QUERY: JsonObject = {
  type: "string",
  description: "What to look for, in the words of the user, with what is needed to understand it.",
};
const FILTER: JsonObject = {
  type: "string",
  description:
    'Which documents count, by their fields, e.g. category: ANY("shoes") AND price < 50. Leave out when all of them do.',
};

/** JSON Schema of a search tool's arguments: a query, and a filter where the model can pass one. */
export function searchParameters(withFilter = false): JsonObject {
  return {
    type: "object",
    properties: { query: QUERY, ...(withFilter && { filter: FILTER }) },
    required: ["query"],
  };
}

/** The query of a call; undefined when there is none. */
export function queryOf({ query }: JsonObject): string | undefined {
  if (query === undefined || query === null) return undefined;
  const text = textOrJson(query);
  return text.trim() === "" ? undefined : text;
}

/** The result of a search: function response, citations and suggestions for clients, attributes for the trace. */
export interface SearchOutcome {
  readonly response: JsonObject;
  readonly sources: readonly CitedSource[];
  readonly suggestions?: SearchSuggestions;
  readonly trace: JsonObject;
}

/** Runs a search within the tool's timeout. A `SearchError` becomes the function response. */
export async function runSearch(
  tool: Tool,
  signal: AbortSignal,
  search: (signal: AbortSignal) => Promise<SearchOutcome>,
): Promise<ToolOutcome> {
  const startedAt = performance.now();
  const { wallMs: timeoutMs } = toolLimits(tool);
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

/** A passage as a citation. */
export function toSource({ uri, title, text }: SearchHit, requiresAttribution: boolean): CitedSource {
  return { uri, title, text, requiresAttribution };
}

/** A passage in the function response. */
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
