import { DataStore_DataStoreType as DataStoreType } from "@frontdesk/protos/ces/data_store";
import {
  type DataStoreTool,
  DataStoreTool_FilterParameterBehavior as FilterBehavior,
  DataStoreTool_ModalityConfig_ModalityType as Modality,
  type DataStoreTool_ModalityConfig as ModalityConfig,
} from "@frontdesk/protos/ces/data_store_tool";
import { definedFields, isJsonObject, type JsonObject } from "#base";
import { thinkingLevelOf } from "#models";
import type { PythonContext } from "#sandbox";
import { type ModelStep, SearchError, type SearchSource, type StoreAnswer, type StoreQuestion } from "#search";
import type { ToolContext } from "../contract.ts";
import { failed } from "../outcomes.ts";
import type { ToolKind } from "../tool-kind.ts";
import { toolName } from "../tool-name.ts";
import { boostRules } from "./boost-rules.ts";
import {
  queryOf,
  runSearch,
  type SearchOutcome,
  SNIPPETS,
  searchParameters,
  toSnippet,
  toSource,
} from "./search-tool.ts";

/** Default and limit of `max_results` (live REST reference). */
const MAX_RESULTS = 10;

/**
 * Searches data stores. The function response is `{"answer", "snippets"}`, with an answer when the modality's config asks for a
 * summary and it is grounded (TOOL-29, data_store_tool.proto).
 */
export const dataStoreTool: ToolKind<"dataStoreTool"> = {
  runs: "server",
  declare: async (definition, tool) => ({
    name: toolName(tool),
    description: definition.description || "Searches documents for what the user asks about.",
    parameters: searchParameters(takesFilter(definition)),
    response: {
      type: "object",
      properties: {
        answer: { type: "string", description: "An answer written from the passages, with their numbers in brackets." },
        snippets: SNIPPETS,
      },
    },
  }),
  problems: (definition, tool, { search }) => [
    ...(definition.searchSource.case === undefined
      ? ["neither data_store_source nor engine_source is set, so there is nothing to search"]
      : []),
    ...(isValidCount(definition.maxResults)
      ? []
      : [`max_results is ${definition.maxResults}; it must be 1 to ${MAX_RESULTS}; ${MAX_RESULTS} is used`]),
    ...boostRules(definition).problems,
    ...snippetsProblems(definition),
    ...search.problems(tool),
  ],
  execute: async (definition, tool, { args }, context, { search }) => {
    const query = queryOf(args);
    if (query === undefined) return failed("Missing parameter: query");
    const filter = takesFilter(definition) && typeof args.filter === "string" ? args.filter : "";
    return runSearch(tool, context.signal, async (signal) => {
      const question = questionOf(definition, { query, filter }, context, signal);
      return toSearched(await search.stores(question));
    });
  },
};

/** What hosted snippets are made of is not published; here the passages that were found are the snippets (TOOL-57). */
function snippetsProblems({ modalityConfigs }: DataStoreTool): readonly string[] {
  return modalityConfigs.flatMap(({ snippetsConfig }, at) =>
    snippetsConfig
      ? [
          `modality_configs[${at}].snippets_config has no effect here: the agent gets each passage that was found, ${MAX_RESULTS} or max_results at most`,
        ]
      : [],
  );
}

/** Whether the model can pass a filter: by default for connector data only (FilterParameterBehavior; TOOL-31). */
function takesFilter({ filterParameterBehavior, searchSource }: DataStoreTool): boolean {
  switch (filterParameterBehavior) {
    case FilterBehavior.ALWAYS_INCLUDE:
      return true;
    case FilterBehavior.NEVER_INCLUDE:
      return false;
    default: {
      const sources =
        searchSource.case === "engineSource"
          ? searchSource.value.dataStoreSources
          : searchSource.case === "dataStoreSource"
            ? [searchSource.value]
            : [];
      return sources.some(({ dataStore }) => dataStore?.type === DataStoreType.CONNECTOR);
    }
  }
}

function questionOf(
  definition: DataStoreTool,
  asked: { readonly query: string; readonly filter: string },
  context: ToolContext,
  signal: AbortSignal,
): StoreQuestion {
  const { rules, problems } = boostRules(definition);
  if (problems.length > 0) throw new SearchError(`The boosts cannot be used: ${problems.join("; ")}.`);
  const modality = context.voice ? Modality.AUDIO : Modality.TEXT;
  const config = definition.modalityConfigs.find(({ modalityType }) => modalityType === modality);
  return {
    ...asked,
    ...(config && stepsOf(config, context)),
    app: context.app,
    source: sourceOf(definition),
    boosts: rules,
    conversation: config?.rewriterConfig ? conversationText(context.python) : "",
    limit: definition.maxResults > 0 && isValidCount(definition.maxResults) ? definition.maxResults : MAX_RESULTS,
    signal,
  };
}

/** Whether `max_results` is valid; 0 is the default. */
function isValidCount(maxResults: number): boolean {
  return maxResults >= 0 && maxResults <= MAX_RESULTS;
}

function sourceOf({ searchSource }: DataStoreTool): SearchSource {
  switch (searchSource.case) {
    case "dataStoreSource": {
      const { dataStore, filter } = searchSource.value;
      return { kind: "stores", stores: [{ name: dataStore?.name ?? "", filter }] };
    }
    case "engineSource": {
      const { engine, filter, dataStoreSources } = searchSource.value;
      const stores = dataStoreSources.map((source) => ({ name: source.dataStore?.name ?? "", filter: source.filter }));
      // An engine without a name is just a list of data stores.
      return engine === "" ? { kind: "stores", stores } : { kind: "engine", engine, stores, filter };
    }
    default:
      throw new SearchError("The tool names no data store: set data_store_source or engine_source.");
  }
}

/** The steps whose config is present and not disabled. */
function stepsOf(
  { rewriterConfig, summarizationConfig, groundingConfig }: ModalityConfig,
  { model = "" }: ToolContext,
): Pick<StoreQuestion, "rewriter" | "summarizer" | "groundingLevel"> {
  const isOn = (config: { readonly disabled: boolean } | undefined) => config !== undefined && !config.disabled;
  return {
    ...(rewriterConfig && isOn(rewriterConfig) && { rewriter: stepOf(rewriterConfig, model) }),
    ...(summarizationConfig && isOn(summarizationConfig) && { summarizer: stepOf(summarizationConfig, model) }),
    ...(groundingConfig && isOn(groundingConfig) && { groundingLevel: groundingConfig.groundingLevel }),
  };
}

function stepOf(
  { modelSettings, prompt }: NonNullable<ModalityConfig["rewriterConfig"] | ModalityConfig["summarizationConfig"]>,
  inherited: string,
): ModelStep {
  const temperature = modelSettings?.temperature;
  const thinkingLevel = thinkingLevelOf(modelSettings);
  return { model: modelSettings?.model || inherited, prompt, ...definedFields({ temperature, thinkingLevel }) };
}

function toSearched({ query, hits, answer, groundingScore, notes }: StoreAnswer): SearchOutcome {
  return {
    response: { ...(answer !== "" && { answer }), snippets: hits.map(toSnippet) },
    sources: hits.map((hit) => toSource(hit, false)),
    trace: {
      query,
      "result count": hits.length,
      ...definedFields({ "grounding score": groundingScore }),
      ...(notes.length > 0 && { notes: [...notes] }),
    },
  };
}

/** Limit of messages for the rewriter. */
const MAX_MESSAGES = 10;
const MAX_MESSAGE_LENGTH = 1_000;

/** The last messages, one line each, so that the rewriter can resolve what a question refers to. */
function conversationText({ events }: Pick<PythonContext, "events">): string {
  const lines: string[] = [];
  for (let at = events.length - 1; at >= 0 && lines.length < MAX_MESSAGES; at--)
    lines.unshift(...lineOf(events.at(at)));
  return lines.join("\n");
}

function lineOf({ author, content }: JsonObject = {}): readonly string[] {
  const parts = isJsonObject(content) && Array.isArray(content.parts) ? content.parts : [];
  const text = parts
    .flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join(" ");
  return text.trim() === "" ? [] : [`${author === "user" ? "User" : "Agent"}: ${text.slice(0, MAX_MESSAGE_LENGTH)}`];
}
