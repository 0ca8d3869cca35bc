import { failed } from "../outcomes.ts";
import type { ToolKind } from "../tool-kind.ts";
import { toolName } from "../tool-name.ts";
import { queryOf, runSearch, SNIPPETS, searchParameters, toSnippet, toSource } from "./search-tool.ts";

/** Limit of passages. */
const MAX_RESULTS = 10;

/**
 * Searches files: those of `file_corpus`, or those in the tool's own folder, which replaces a fully managed corpus
 * (TOOL-34). The function response is `{"snippets"}`.
 */
export const fileSearchTool: ToolKind<"fileSearchTool"> = {
  runs: "server",
  declare: async ({ description }, tool) => ({
    name: toolName(tool),
    description: description || "Searches files for what the user asks about.",
    parameters: searchParameters(),
    response: { type: "object", properties: { snippets: SNIPPETS } },
  }),
  problems: (_definition, tool, { search }) => search.problems(tool),
  execute: async ({ fileCorpus }, tool, { args }, { app, signal: outer }, { search }) => {
    const query = queryOf(args);
    if (query === undefined) return failed("Missing parameter: query");
    return runSearch(tool, outer, async (signal) => {
      const hits = await search.files({
        query,
        corpus: fileCorpus,
        app,
        tool: toolName(tool),
        limit: MAX_RESULTS,
        signal,
      });
      return {
        response: { snippets: hits.map(toSnippet) },
        sources: hits.map((hit) => toSource(hit, false)),
        trace: { query, "result count": hits.length },
      };
    });
  },
};
