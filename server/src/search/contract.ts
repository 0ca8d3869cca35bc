import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Egress, JsonObject } from "#base";
import type { BoostRule } from "./boost/boost-rule.ts";

/** A passage that was found. */
export interface SearchHit {
  /** Resource name of the data store or corpus; "" for the web. */
  readonly store: string;
  /** Where the document is: a web address, or the path of a file below its folder. */
  readonly uri: string;
  readonly title: string;
  /** The passage. */
  readonly text: string;
  /** What is known of the document beside its text: `struct_data`. */
  readonly data: JsonObject;
  /** Comparable within one answer only; higher is better. */
  readonly score: number;
}

/** A data store to search, and which of its documents count. */
export interface StoreTarget {
  readonly name: string;
  /** In the filter language of Vertex AI Search; "" = all. */
  readonly filter: string;
}

/** Where to search: stores by name, or an engine, with some of its stores or all of them. */
export type SearchSource =
  | { readonly kind: "stores"; readonly stores: readonly StoreTarget[] }
  | {
      readonly kind: "engine";
      readonly engine: string;
      /** Empty = all that belong to the engine; then `filter` counts. */
      readonly stores: readonly StoreTarget[];
      readonly filter: string;
    };

/** A question to data stores. */
export interface StoreQuery {
  readonly query: string;
  readonly source: SearchSource;
  /** A further filter over all stores, e.g. the model's; "" = none. */
  readonly filter: string;
  readonly boosts: readonly BoostRule[];
  /** Most passages. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A question to the web. */
export interface WebQuery {
  readonly query: string;
  /** Results come from these domains and their subdomains only; empty = all. */
  readonly preferredDomains: readonly string[];
  readonly excludedDomains: readonly string[];
  /** Pages that are read for each question. */
  readonly contextUrls: readonly string[];
  /** App resource name: what one app may read, another may not. */
  readonly owner: string;
  /** Reads those pages, on behalf of the app. */
  readonly egress: Pick<Egress, "fetch">;
  /** Instructions of whoever made the tool; "" = none. */
  readonly instructions: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** What the web said. */
export interface WebAnswer {
  readonly hits: readonly SearchHit[];
  /** Words of a provider that answers by itself, from its hits; "" where it only finds. */
  readonly answer: string;
  /** Styled suggestions that the provider asks to be shown; none where it makes none. */
  readonly suggestionHtml: readonly string[];
  readonly queries: readonly { readonly query: string; readonly uri: string }[];
  /** Context pages that could not be read, and why. */
  readonly unread: readonly string[];
}

/** A question to data stores, and what is made of what they hold (DataStoreTool.ModalityConfig). */
export interface StoreQuestion extends StoreQuery {
  /** What was said before, for the rewriter; "" = nothing. */
  readonly conversation: string;
  /** Puts the question into words that search better. Default: it is searched as it is. */
  readonly rewriter?: ModelStep;
  /** Writes an answer from the passages. Default: there are only passages. */
  readonly summarizer?: ModelStep;
  /** An answer that the passages support less, on a scale from 1 to 5, is not given. Default: it is not judged. */
  readonly groundingLevel?: number;
}

/** One call of a model on the way to an answer. */
export interface ModelStep {
  /** As the app names it; "" = the default. */
  readonly model: string;
  readonly temperature?: number;
  /** "" = the room's own. */
  readonly prompt: string;
}

/** What data stores hold about a question. */
export interface StoreAnswer {
  /** The question as it was searched. */
  readonly query: string;
  readonly hits: readonly SearchHit[];
  /** Written from the hits; "" = there is none. */
  readonly answer: string;
  /** From 1 to 5; absent when nothing was judged. */
  readonly groundingScore?: number;
  /** What was not done, and why, for the trace. */
  readonly notes: readonly string[];
}

/** Searching, for tools. */
export interface Search {
  /** Searches data stores. Rejects with `SearchError` when that cannot be done. */
  stores(question: StoreQuestion): Promise<StoreAnswer>;
  /** Searches the files of a corpus, or those of a tool that has none of its own. Rejects with `SearchError`. */
  files(query: FileQuery): Promise<readonly SearchHit[]>;
  /** Searches the web. Rejects with `SearchError`. */
  web(query: WebQuery): Promise<WebAnswer>;
  /** What tools of an app need and the operator has not configured: one sentence each without a full stop, naming the setting. */
  problems(tool: Tool): readonly string[];
  /** Begins to index everything that is configured, so that the first question need not wait. */
  warm(): void;
  close(): Promise<void>;
}

/** A question to the files of a file search tool. */
export interface FileQuery {
  readonly query: string;
  /** `projects/{project}/locations/{location}/ragCorpora/{corpus}`; "" = the tool's own folder. */
  readonly corpus: string;
  /** App resource name. */
  readonly app: string;
  /** The tool's name as a folder name. */
  readonly tool: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Why a search gave nothing; the message may be shown to whoever made the app, and says what to do. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}
