import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Clock, createEgress, definedFields, type Egress, type Logger } from "#base";
import { type AccessToken, createServiceToken } from "#google";
import type { EmbeddingModel, Models } from "#models";
import { logFault } from "#status";
import { answerQuestion } from "./answer/answer-question.ts";
import { type FileQuery, type IndexListener, type Search, SearchError } from "./contract.ts";
import { createParsers } from "./documents/parsers.ts";
import { closedTo } from "./opened-to.ts";
import { searchProblems, unknownCorpus } from "./problems.ts";
import type { SearchConfig } from "./search-config.ts";
import type { MirrorFiles } from "./shared-files.ts";
import { createFindPassages, embedQuery } from "./stores/find-passages.ts";
import type { LocalStore } from "./stores/local-store.ts";
import { createLocalStores, type LocalStores } from "./stores/local-stores.ts";
import { mergeHits } from "./stores/merge-hits.ts";
import type { PageStore } from "./stores/shared-pages.ts";
import { toolFolder } from "./tool-folder.ts";
import { createWebSearch } from "./web/web-search.ts";

export interface SearchDeps {
  /** Models that summarize and rewrite. */
  readonly models: Pick<Models, "resolve">;
  /** Embeds passages and queries. Default: none, so that search is lexical only. */
  readonly embeddings?: EmbeddingModel | undefined;
  /** Fetches sitemaps and their pages. */
  readonly egress: Pick<Egress, "fetch">;
  /** Where several servers share the pages of sitemaps. Default: this one fetches them for itself. */
  readonly pages?: PageStore | undefined;
  /** Gets the uploaded files of a tool into its folder. Default: what is in the folder is all. */
  readonly mirrorFiles?: MirrorFiles;
  /** Access tokens for Google services. Default: application default credentials. */
  readonly accessToken?: AccessToken;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the search of all apps. It reads and calls nothing before the first query or `warm`. */
export function createSearch(config: SearchConfig, deps: SearchDeps): Search {
  const { models, embeddings, clock, logger, accessToken = createServiceToken("Google search services") } = deps;
  // The operator configures these services, so this gate allows them at private addresses, and no other host.
  const services = createEgress({ allowedPrivateHosts: serviceHosts(config) });
  const parsers = createParsers();
  const listeners: IndexListener[] = [];
  const indexed: IndexListener = async (store, error) => {
    const notified = await Promise.allSettled(listeners.map((listener) => listener(store, error)));
    for (const outcome of notified)
      if (outcome.status === "rejected")
        logFault(outcome.reason, logger, "what came of indexing a data store was not stored", { store });
  };
  const { egress, pages } = deps;
  const local = createLocalStores(config, { parsers, embeddings, logger, clock, egress, pages, indexed });
  const find = createFindPassages(config, { local, embeddings, clock, logger, accessToken, egress: services });
  const web = createWebSearch(config.web, { egress: services, accessToken, parsers, clock });
  let closed: Promise<void> | undefined;
  return {
    stores: (question) => answerQuestion(question, find, models),
    files: async (query) => {
      if (query.corpus === "") await deps.mirrorFiles?.({ app: query.app, tool: query.tool });
      const store = storeOfFiles(query, config, local);
      const vector = await embedQuery(query, { embeddings, logger });
      const asked = { query: query.query, limit: 2 * query.limit, ...definedFields({ vector }) };
      const candidates = await store.search(asked, query.signal);
      return mergeHits([{ store: query.corpus, candidates, boost: () => 0 }], query.limit);
    },
    web,
    problems: (tool) => searchProblems(tool, config),
    crawls: Object.entries(config.dataStores).flatMap(([store, settings]) =>
      settings.kind === "sitemap" ? [{ store, everyMs: settings.refreshMs }] : [],
    ),
    warm: () => local.warm(),
    refresh: (store) => local.refresh(store),
    onIndexed: (listener) => void listeners.push(listener),
    close: () => {
      // Stores are closed first, so that they start no new work in the others.
      closed ??= Promise.all([local.close(), parsers.close(), services.close(), embeddings?.close()]).then(() => {});
      return closed;
    },
  };
}

function serviceHosts({ vertex, web }: SearchConfig): readonly string[] {
  return [vertex?.endpoint, web?.endpoint].flatMap((address) => {
    const url = address ? URL.parse(address) : null;
    return url ? [url.port === "" ? url.hostname : url.host] : [];
  });
}

function storeOfFiles({ corpus, app, tool }: FileQuery, config: SearchConfig, local: LocalStores): LocalStore {
  if (corpus === "") return storeOfTool(toolFolder({ app, tool }), tool, config.filesFolder, local);
  const problem = closedTo(app, corpus, "corpora", config);
  if (problem) throw new SearchError(`${problem}.`);
  const store = local.ofCorpus(corpus);
  if (!store) throw new SearchError(`${unknownCorpus(corpus)}.`);
  return store;
}

function storeOfTool(below: string, tool: string, filesFolder: string, local: LocalStores): LocalStore {
  const folder = join(filesFolder, below);
  if (existsSync(folder)) return local.ofFolder(folder, `files of ${tool}`);
  throw new SearchError(
    `The tool '${tool}' has no files yet: upload them ('frontdesk files'), or put them into '${below}' below the folder of search.files.`,
  );
}

/** A search for processes without one, such as a replay or a single Python file: every query fails. */
export const noSearch: Search = {
  stores: refuse,
  files: refuse,
  web: refuse,
  problems: () => [],
  crawls: [],
  warm: () => {},
  refresh: async () => {},
  onIndexed: () => {},
  close: async () => {},
};

function refuse(): Promise<never> {
  return Promise.reject(new SearchError("Nothing can be searched here: this process was started without search."));
}
