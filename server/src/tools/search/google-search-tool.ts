import type { GoogleSearchTool } from "@frontdesk/protos/ces/google_search_tool";
import type { Egress } from "#base";
import type { WebAnswer } from "#search";
import type { ToolContext } from "../contract.ts";
import { failed } from "../outcomes.ts";
import type { KindDeps, ToolKind } from "../tool-kind.ts";
import { toolName } from "../tool-name.ts";
import {
  queryOf,
  runSearch,
  type SearchOutcome,
  SNIPPETS,
  searchParameters,
  toSnippet,
  toSource,
} from "./search-tool.ts";

const MAX_RESULTS = 10;
/** Limits of the lists (google_search_tool.proto). */
const MAX_ENTRIES = { contextUrls: 20, preferredDomains: 20, excludeDomains: 2_000 } as const;

/**
 * Searches the web. The function response is `{"answer", "snippets", "instructions"}`: an answer when the provider writes one, and the
 * tool's prompt for the modality as instructions for the agent's model (TOOL-33).
 */
export const googleSearchTool: ToolKind<"googleSearchTool"> = {
  runs: "server",
  declare: async ({ description }, tool) => ({
    name: toolName(tool),
    description: description || "Searches the web for what the user asks about.",
    parameters: searchParameters(),
    response: {
      type: "object",
      properties: {
        answer: { type: "string", description: "An answer from the web." },
        snippets: SNIPPETS,
        instructions: { type: "string", description: "How the results are to be used." },
      },
    },
  }),
  problems: (definition, tool, { search }) => [
    ...tooLong("context_urls", definition.contextUrls, MAX_ENTRIES.contextUrls),
    ...tooLong("preferred_domains", definition.preferredDomains, MAX_ENTRIES.preferredDomains),
    ...tooLong("exclude_domains", definition.excludeDomains, MAX_ENTRIES.excludeDomains),
    ...definition.contextUrls
      .filter((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      .map((url) => `context_urls: '${url}' is not an http or https URL`),
    ...search.problems(tool),
  ],
  execute: async (definition, tool, { args }, context, deps) => {
    const query = queryOf(args);
    if (query === undefined) return failed("Missing parameter: query");
    const instructions = instructionsOf(definition, context);
    return runSearch(tool, context.signal, async (signal) => {
      const answer = await deps.search.web({
        query,
        preferredDomains: definition.preferredDomains.slice(0, MAX_ENTRIES.preferredDomains),
        excludedDomains: definition.excludeDomains.slice(0, MAX_ENTRIES.excludeDomains),
        contextUrls: definition.contextUrls.slice(0, MAX_ENTRIES.contextUrls),
        owner: context.app,
        egress: egressOf(context, deps, signal),
        instructions,
        limit: MAX_RESULTS,
        signal,
      });
      return toSearched(query, answer, instructions);
    });
  },
};

function tooLong(field: string, list: readonly string[], max: number): readonly string[] {
  return list.length > max ? [`${field} has ${list.length} entries; only the first ${max} are used`] : [];
}

function instructionsOf({ promptConfig }: GoogleSearchTool, { voice }: ToolContext): string {
  return (voice ? promptConfig?.voicePrompt : promptConfig?.textPrompt) ?? "";
}

/** Reads context pages on behalf of the app: through the egress gate and its allow lists. */
function egressOf(
  { app, python, settings }: ToolContext,
  { outbound }: KindDeps,
  signal: AbortSignal,
): Pick<Egress, "fetch"> {
  const context = () => ({ app, variables: python.state, settings, signal });
  return { fetch: (request) => outbound.fetch(request, {}, context()) };
}

function toSearched(query: string, answer: WebAnswer, instructions: string): SearchOutcome {
  const { hits, suggestionHtml, queries, unread } = answer;
  return {
    response: {
      ...(answer.answer !== "" && { answer: answer.answer }),
      snippets: hits.map(toSnippet),
      ...(instructions !== "" && { instructions }),
    },
    sources: hits.map((hit) => toSource(hit, true)),
    ...((suggestionHtml.length > 0 || queries.length > 0) && { suggestions: { htmls: suggestionHtml, queries } }),
    trace: {
      query,
      "result count": hits.length,
      ...(unread.length > 0 && { notes: unread.map((each) => `A context page was not read: ${each}`) }),
    },
  };
}
