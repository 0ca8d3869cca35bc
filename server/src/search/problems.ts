import type { DataStoreTool } from "@frontdesk/protos/ces/data_store_tool";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { appOfName } from "#base";
import { entryForName } from "./name-pattern.ts";
import { closedTo } from "./opened-to.ts";
import type { SearchConfig } from "./search-config.ts";
import { notConfigured } from "./stores/find-passages.ts";
import { NO_WEB_SEARCH } from "./web/web-search.ts";

/** Missing configuration for a tool, one sentence each without a full stop. */
export function searchProblems({ name, toolType }: Tool, config: SearchConfig): readonly string[] {
  const app = appOfName(name);
  switch (toolType.case) {
    case "dataStoreTool": {
      const stores = storesOf(toolType.value, config);
      const missing = config.vertex ? [] : stores.filter((store) => !isMapped(store, config)).map(notConfigured);
      return [...missing, ...stores.flatMap((store) => closedTo(app, store, "dataStores", config) ?? [])];
    }
    case "fileSearchTool": {
      const { fileCorpus } = toolType.value;
      if (fileCorpus === "") return [];
      if (!entryForName(config.corpora, fileCorpus)) return [unknownCorpus(fileCorpus)];
      return [closedTo(app, fileCorpus, "corpora", config) ?? []].flat();
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

function isMapped(name: string, { dataStores }: SearchConfig): boolean {
  return entryForName(dataStores, name) !== undefined;
}

/** The data stores that a tool searches; an engine that is not mapped stands for its own. */
function storesOf({ searchSource }: DataStoreTool, config: SearchConfig): readonly string[] {
  switch (searchSource.case) {
    case "dataStoreSource":
      return [searchSource.value.dataStore?.name ?? ""].filter((name) => name !== "");
    case "engineSource": {
      const { engine, dataStoreSources } = searchSource.value;
      const named = dataStoreSources.map(({ dataStore }) => dataStore?.name ?? "").filter((name) => name !== "");
      if (named.length > 0) return named;
      return entryForName(config.engines, engine)?.[1] ?? (engine === "" ? [] : [engine]);
    }
    default:
      return [];
  }
}
