import {
  definedFields,
  type Egress,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  textOrEmpty,
  textOrJson,
} from "#base";
import type { AccessToken } from "#google";
import { type BoostCurve, type BoostRule, SearchError, type SearchHit, type StoreTarget } from "./contract.ts";
import type { VertexSettings } from "./search-config.ts";
import { callService } from "./service-call.ts";
import { plainText } from "./text/plain-text.ts";

/** A query to Vertex AI Search: to a data store, or to an engine with some of its data stores. */
interface VertexQuery {
  /** Resource name of the data store or engine. */
  readonly resource: string;
  readonly query: string;
  readonly filter: string;
  /** Limits an engine to these data stores. */
  readonly stores: readonly StoreTarget[];
  readonly boosts: readonly BoostRule[];
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface VertexDeps {
  readonly egress: Pick<Egress, "fetch">;
  readonly accessToken: AccessToken;
}

/** `SearchService.Search` of the Discovery Engine API, v1, over REST. Rejects with `SearchError`. */
export async function searchVertex(
  settings: VertexSettings,
  query: VertexQuery,
  { egress, accessToken }: VertexDeps,
): Promise<readonly SearchHit[]> {
  const path = query.resource.split("/").map(encodeURIComponent).join("/");
  const token = await accessToken();
  const response = await callService(
    {
      service: "Vertex AI Search",
      url: `${settings.endpoint || endpointOf(query.resource)}/v1/${path}/servingConfigs/default_search:search`,
      headers: { authorization: `Bearer ${token}`, "x-goog-user-project": query.resource.split("/")[1] ?? "" },
      body: toRequest(query),
      secrets: [token],
      signal: query.signal,
    },
    egress,
  );
  const results = objectsIn(response.results);
  return results.map((result, place) => toHit(result, query.resource, 1 / (1 + place / 10)));
}

/** The API has an endpoint for each location. */
function endpointOf(resource: string): string {
  const location = /^projects\/[^/]+\/locations\/([a-z0-9-]+)\//.exec(resource)?.[1];
  if (!location) throw new SearchError(`'${resource}' is not the resource name of a data store or engine.`);
  return location === "global"
    ? "https://discoveryengine.googleapis.com"
    : `https://${location}-discoveryengine.googleapis.com`;
}

function toRequest({ query, limit, filter, stores, boosts, resource }: VertexQuery): JsonObject {
  const boostSpec = vertexBoostSpec(boosts, resource);
  return {
    query,
    pageSize: limit,
    ...(filter !== "" && { filter }),
    ...definedFields({ boostSpec }),
    ...(stores.length > 0 && { dataStoreSpecs: stores.map((store) => toStoreSpec(store, boosts)) }),
    contentSearchSpec: {
      snippetSpec: { returnSnippet: true },
      extractiveContentSpec: { maxExtractiveAnswerCount: 1, maxExtractiveSegmentCount: 1 },
    },
    queryExpansionSpec: { condition: "AUTO" },
    spellCorrectionSpec: { mode: "AUTO" },
  };
}

function toStoreSpec({ name, filter }: StoreTarget, boosts: readonly BoostRule[]): JsonObject {
  const boostSpec = vertexBoostSpec(boosts, name);
  return { dataStore: name, ...(filter !== "" && { filter }), ...definedFields({ boostSpec }) };
}

/** A result with its longest text: chunk, extractive segment or answer, snippet, or the fields of a record. */
function toHit(result: JsonObject, resource: string, score: number): SearchHit {
  if (isJsonObject(result.chunk)) return chunkHit(result.chunk, resource, score);
  const document = objectAt(result, "document");
  const derived = objectAt(document, "derivedStructData");
  const data = objectAt(document, "structData");
  const text = (field: string, from: JsonObject = derived) => textOrEmpty(from[field]);
  return {
    store: storeOf(textOrEmpty(document.name)) || resource,
    uri: text("link") || text("url", data) || text("uri", data),
    title: text("title") || text("title", data) || text("question", data),
    text:
      contentOf(derived.extractive_segments ?? derived.extractiveSegments, "content") ||
      contentOf(derived.extractive_answers ?? derived.extractiveAnswers, "content") ||
      contentOf(derived.snippets, "snippet") ||
      text("answer", data) ||
      Object.entries(data)
        .map(([name, value]) => `${name}: ${textOrJson(value)}`)
        .join("\n"),
    data,
    score,
  };
}

function chunkHit(chunk: JsonObject, resource: string, score: number): SearchHit {
  const metadata = objectAt(chunk, "documentMetadata");
  return {
    store: storeOf(textOrEmpty(chunk.name)) || resource,
    uri: textOrEmpty(metadata.uri),
    title: textOrEmpty(metadata.title),
    text: textOrEmpty(chunk.content),
    data: objectAt(metadata, "structData"),
    score,
  };
}

function storeOf(documentName: string): string {
  return /^(.*\/dataStores\/[^/]+)\//.exec(documentName)?.[1] ?? "";
}

/** The texts of a list; snippets are HTML with matches in bold. */
function contentOf(list: JsonValue | undefined, field: string): string {
  const texts = objectsIn(list).map((each) => plainText(textOrEmpty(each[field])));
  return texts.filter((text) => text !== "" && !text.startsWith("No snippet is available")).join("\n");
}

function objectAt(from: JsonObject, field: string): JsonObject {
  const value = from[field];
  return isJsonObject(value) ? value : {};
}

/** The rules of a data store as `SearchRequest.BoostSpec`; undefined when there are none. For an engine, each data store has its own. */
function vertexBoostSpec(rules: readonly BoostRule[], store: string): JsonObject | undefined {
  const own = rules.filter(({ stores }) => stores.includes(store));
  if (own.length === 0) return undefined;
  return {
    conditionBoostSpecs: own.map(({ condition, amount }) => ({
      ...(condition !== "" && { condition }),
      ...(typeof amount === "number" ? { boost: amount } : { boostControlSpec: controlSpec(amount) }),
    })),
  };
}

function controlSpec({ kind, field, points }: BoostCurve): JsonObject {
  return {
    fieldName: field,
    attributeType: kind === "numerical" ? "NUMERICAL" : "FRESHNESS",
    interpolationType: "LINEAR",
    controlPoints: points.map(({ at, amount }) => ({
      attributeValue: kind === "numerical" ? String(at) : `T${at / 1000}S`,
      boostAmount: amount,
    })),
  };
}
