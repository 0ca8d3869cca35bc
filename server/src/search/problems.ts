import type { DataStoreTool } from "@frontdesk/protos/ces/data_store_tool";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { entryForName } from "./name-pattern.ts";
import type { SearchConfig } from "./search-config.ts";
import { notConfigured } from "./stores/find-passages.ts";
import { NO_WEB_SEARCH } from "./web/web-search.ts";

/** Missing configuration for a tool, one sentence each without a full stop. */
export function searchProblems({ toolType }: Tool, config: SearchConfig): readonly string[] {
  switch (toolType.case) {
    case "dataStoreTool":
      return config.vertex ? [] : unconfiguredStores(toolType.value, config).map(notConfigured);
    case "fileSearchTool": {
      const { fileCorpus } = toolType.value;
      return fileCorpus === "" || entryForName(config.corpora, fileCorpus) ? [] : [unknownCorpus(fileCorpus)];
    }
    case "googleSearchTool":
      return config.web ? [] : [NO_WEB_SEARCH];
    default:
      return [];
  }
}

/** The error of a corpus that is not configured, without a full stop. */
export function unknownCorpus(corpus: string): string {
  return `The corpus '${corpus}' is not configured: map it to a folder under search.corpora in the configuration file`;
}

function unconfiguredStores({ searchSource }: DataStoreTool, config: SearchConfig): readonly string[] {
  const isLocal = (name: string) => entryForName(config.dataStores, name) !== undefined;
  switch (searchSource.case) {
    case "dataStoreSource":
      return [searchSource.value.dataStore?.name ?? ""].filter((name) => name !== "" && !isLocal(name));
    case "engineSource": {
      const { engine, dataStoreSources } = searchSource.value;
      const named = dataStoreSources.map(({ dataStore }) => dataStore?.name ?? "").filter((name) => name !== "");
      const members = entryForName(config.engines, engine)?.[1];
      if (named.length > 0 || members)
        return (named.length > 0 ? named : (members ?? [])).filter((name) => !isLocal(name));
      return engine === "" ? [] : [engine];
    }
    default:
      return [];
  }
}
