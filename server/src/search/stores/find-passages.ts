import { type Clock, definedFields, type Logger, unreachable } from "#base";
import type { EmbeddingModel } from "#models";
import { ConnectError } from "#status";
import { createBoost } from "../boost.ts";
import { SearchError, type SearchHit, type StoreQuery, type StoreTarget } from "../contract.ts";
import { parseDocumentFilter } from "../filter/parse-filter.ts";
import { valueForName } from "../name-pattern.ts";
import { closedTo } from "../opened-to.ts";
import type { SearchConfig } from "../search-config.ts";
import { searchVertex, type VertexDeps } from "../vertex-search.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalStores } from "./local-stores.ts";
import { mergeHits } from "./merge-hits.ts";

interface FindPassagesDeps extends VertexDeps {
  readonly local: LocalStores;
  readonly embeddings: EmbeddingModel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Candidates of a store for each result, because boosts may move lower ones up. */
const CANDIDATES_PER_RESULT = 5;

/** Finds passages in data stores: on this machine, else in Vertex AI Search where it is configured. */
export function createFindPassages(config: SearchConfig, deps: FindPassagesDeps) {
  return async (query: StoreQuery): Promise<readonly SearchHit[]> => {
    const targets = targetsOf(query, config, deps.local);
    for (const { name } of targets.local) requireOpen(query.app, name, config);
    const [local, remote] = await Promise.all([
      searchLocally(targets.local, query, deps),
      Promise.all(targets.remote.map((resource) => searchRemotely(resource, query, config, deps))),
    ]);
    return [...local, ...remote.flat()].sort((first, second) => second.score - first.score).slice(0, query.limit);
  };
}

function requireOpen(app: string, name: string, config: SearchConfig): void {
  const problem = closedTo(app, name, "dataStores", config);
  if (problem) throw new SearchError(`${problem}.`);
}

interface Targets {
  readonly local: readonly (StoreTarget & { readonly store: LocalStore })[];
  readonly remote: readonly {
    readonly resource: string;
    readonly filter: string;
    readonly stores: readonly StoreTarget[];
  }[];
}

function targetsOf({ source }: StoreQuery, config: SearchConfig, local: LocalStores): Targets {
  switch (source.kind) {
    case "stores":
      return targetsOfStores(source.stores, local);
    case "engine": {
      const members = valueForName(config.engines, source.engine)?.map((name) => ({ name, filter: source.filter }));
      const stores = source.stores.length > 0 ? source.stores : members;
      if (stores && (members || stores.every(({ name }) => local.ofDataStore(name))))
        return targetsOfStores(stores, local);
      const filter = source.stores.length > 0 ? "" : source.filter;
      return { local: [], remote: [{ resource: source.engine, filter, stores: source.stores }] };
    }
    default:
      return unreachable(source);
  }
}

function targetsOfStores(stores: readonly StoreTarget[], local: LocalStores): Targets {
  const placed = stores.map((target) => ({ ...target, store: local.ofDataStore(target.name) }));
  return {
    local: placed.flatMap(({ store, ...target }) => (store ? [{ ...target, store }] : [])),
    remote: placed.flatMap(({ store, name, filter }) => (store ? [] : [{ resource: name, filter, stores: [] }])),
  };
}

async function searchLocally(
  targets: Targets["local"],
  query: StoreQuery,
  deps: FindPassagesDeps,
): Promise<readonly SearchHit[]> {
  if (targets.length === 0) return [];
  const vector = await embedQuery(query, deps);
  const results = await Promise.all(
    targets.map(async ({ name, filter, store }) => {
      const boost = createBoost(query.boosts, name, deps.clock.now());
      const accepts = acceptsAll([filter, query.filter]);
      const limit = query.limit * CANDIDATES_PER_RESULT;
      const asked = { query: query.query, limit, ...definedFields({ accepts, vector }) };
      return { store: name, boost, candidates: await store.search(asked, query.signal) };
    }),
  );
  return mergeHits(results, query.limit);
}

function acceptsAll(filters: readonly string[]) {
  const parsed = filters.filter((filter) => filter.trim() !== "").map(parseDocumentFilter);
  if (parsed.length === 0) return undefined;
  return (data: Parameters<(typeof parsed)[number]>[0]) => parsed.every((accepts) => accepts(data));
}

/** Embeds a query. Returns undefined when the provider fails, which is logged; search is lexical then. */
export async function embedQuery(
  { query, signal }: Pick<StoreQuery, "query" | "signal">,
  { embeddings, logger }: Pick<FindPassagesDeps, "embeddings" | "logger">,
): Promise<Float32Array | undefined> {
  if (!embeddings) return undefined;
  try {
    const [vector] = await embeddings.embed([query], { purpose: "query", signal });
    return vector;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    logger.warn({ err: error, model: embeddings.label }, "a question was not embedded; it is searched by words");
    return undefined;
  }
}

function searchRemotely(
  { resource, filter, stores }: Targets["remote"][number],
  query: StoreQuery,
  { vertex }: SearchConfig,
  deps: VertexDeps,
): Promise<readonly SearchHit[]> {
  if (!vertex) throw new SearchError(`${notConfigured(resource)}.`);
  const both = [filter, query.filter].filter((each) => each.trim() !== "").map((each) => `(${each})`);
  return searchVertex(vertex, { ...query, resource, filter: both.join(" AND "), stores }, deps);
}

/** The error of a data store or engine that is not configured, without a full stop. */
export function notConfigured(resource: string): string {
  const [section, kind] = resource.includes("/engines/") ? ["engines", "engine"] : ["dataStores", "data store"];
  return `The ${kind} '${resource}' is not configured: map it under search.${section} in the configuration file, or set search.vertex to ask Vertex AI Search`;
}
