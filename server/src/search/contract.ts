import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Egress, JsonObject } from "#base";
import type { ThinkingLevel } from "#models";

/** Boosts or buries documents of data stores (DataStoreTool.BoostSpecs). */
export interface BoostRule {
  /** Resource names of its data stores. */
  readonly stores: readonly string[];
  /** Filter of its documents; "" = all. */
  readonly condition: string;
  /** A fixed amount from -1 to 1, or a function of a field. */
  readonly amount: number | BoostCurve;
}

/** An amount as a function of a field: linear between control points, constant beyond the outermost. */
export interface BoostCurve {
  readonly kind: "numerical" | "freshness";
  readonly field: string;
  /** Ascending by `at`: the field's number, or its age in milliseconds. */
  readonly points: readonly { readonly at: number; readonly amount: number }[];
}

/** A passage of a search result. */
export interface SearchHit {
  /** Resource name of the data store or corpus; "" for the web. */
  readonly store: string;
  /** Location of the document: a URL, or the path of a file below its folder. */
  readonly uri: string;
  readonly title: string;
  /** The passage. */
  readonly text: string;
  /** Metadata of the document: `struct_data`. */
  readonly data: JsonObject;
  /** Higher is better. Comparable within one result only. */
  readonly score: number;
}

/** A data store to search, and a filter of its documents. */
export interface StoreTarget {
  readonly name: string;
  /** In the filter syntax of Vertex AI Search; "" = all. */
  readonly filter: string;
}

/** What to search: data stores by name, or an engine with some or all of its data stores. */
export type SearchSource =
  | { readonly kind: "stores"; readonly stores: readonly StoreTarget[] }
  | {
      readonly kind: "engine";
      readonly engine: string;
      /** Empty = all of the engine; then `filter` applies. */
      readonly stores: readonly StoreTarget[];
      readonly filter: string;
    };

/** A query to data stores. */
export interface StoreQuery {
  readonly query: string;
  /** Resource name of the app that asks. */
  readonly app: string;
  readonly source: SearchSource;
  /** A further filter for all stores, e.g. the model's; "" = none. */
  readonly filter: string;
  readonly boosts: readonly BoostRule[];
  /** Maximum number of passages. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A query to the web. */
export interface WebQuery {
  readonly query: string;
  /** Limits results to these domains and their subdomains; empty = all. */
  readonly preferredDomains: readonly string[];
  readonly excludedDomains: readonly string[];
  /** Pages that are read for each query. */
  readonly contextUrls: readonly string[];
  /** App resource name. Cached pages are not shared between apps. */
  readonly owner: string;
  /** Fetches context pages on behalf of the app. */
  readonly egress: Pick<Egress, "fetch">;
  /** Instructions of the tool; "" = none. */
  readonly instructions: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The result of a web search. */
export interface WebAnswer {
  readonly hits: readonly SearchHit[];
  /** An answer that the provider generated from its hits; "" = none. */
  readonly answer: string;
  /** Styled search suggestions that the provider asks clients to show. */
  readonly suggestionHtml: readonly string[];
  readonly queries: readonly { readonly query: string; readonly uri: string }[];
  /** Context pages that could not be read, with the reason. */
  readonly unread: readonly string[];
}

/** A query to data stores with the steps of an answer (DataStoreTool.ModalityConfig). */
export interface StoreQuestion extends StoreQuery {
  /** The conversation so far, for the rewriter; "" = none. */
  readonly conversation: string;
  /** Rewrites the query. Default: it is not rewritten. */
  readonly rewriter?: ModelStep;
  /** Generates an answer from the passages. Default: passages only. */
  readonly summarizer?: ModelStep;
  /** Minimum grounding of an answer, from 1 to 5; an answer below it is dropped. Default: grounding is not checked. */
  readonly groundingLevel?: number;
}

/** One model call of an answer. */
export interface ModelStep {
  /** Model name of the app; "" = the default. */
  readonly model: string;
  readonly temperature?: number;
  readonly thinkingLevel?: ThinkingLevel;
  /** "" = the built-in prompt. */
  readonly prompt: string;
}

/** The result of a search in data stores. */
export interface StoreAnswer {
  /** The query after rewriting. */
  readonly query: string;
  readonly hits: readonly SearchHit[];
  /** Generated from the hits; "" = none. */
  readonly answer: string;
  /** From 1 to 5; absent when grounding was not checked. */
  readonly groundingScore?: number;
  /** Steps that were skipped, with the reason, for the trace. */
  readonly notes: readonly string[];
}

/** Search for tools. */
export interface Search {
  /** Searches data stores. Rejects with `SearchError`. */
  stores(question: StoreQuestion): Promise<StoreAnswer>;
  /** Searches the files of a corpus, or the files of a tool without a corpus. Rejects with `SearchError`. */
  files(query: FileQuery): Promise<readonly SearchHit[]>;
  /** Searches the web. Rejects with `SearchError`. */
  web(query: WebQuery): Promise<WebAnswer>;
  /** Missing configuration for a tool: one sentence each without a full stop, which names the setting. */
  problems(tool: Tool): readonly string[];
  /** The stores whose pages are read again every so often, in milliseconds. */
  readonly crawls: readonly { readonly store: string; readonly everyMs: number }[];
  /** Starts indexing all configured stores, so that the first query does not wait. */
  warm(): void;
  /** Indexes what is new in a store of the configuration. Does nothing for one that is not configured. Rejects with UNAVAILABLE when not all of it could be read. */
  refresh(store: string): Promise<void>;
  /** Tells what came of indexing a store of the configuration, each time from now on: an error when not all of it could be read. */
  onIndexed(listener: IndexListener): void;
  close(): Promise<void>;
}

/** Is told by the key of a store in the configuration. */
export type IndexListener = (store: string, error: Error | undefined) => Promise<void>;

/** A query to the files of a file search tool. */
export interface FileQuery {
  readonly query: string;
  /** `projects/{project}/locations/{location}/ragCorpora/{corpus}`; "" = the tool's own folder. */
  readonly corpus: string;
  /** App resource name. */
  readonly app: string;
  /** The tool's display name. */
  readonly tool: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Why a search failed. The message may be shown to a model, names the fix and holds no key. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}
