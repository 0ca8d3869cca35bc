import type { FolderSettings } from "./stores/folder-source.ts";
import type { SitemapSettings } from "./stores/sitemap-source.ts";

/** The operator's configuration of search. Resource names may have `*` for a segment. */
export interface SearchConfig {
  /** Data stores on this machine, by resource name. */
  readonly dataStores: Readonly<Record<string, StoreSettings>>;
  /** Engines, and the data stores (by resource name) that belong to each. */
  readonly engines: Readonly<Record<string, readonly string[]>>;
  /** Corpora of file search tools, by resource name. */
  readonly corpora: Readonly<Record<string, FolderSettings>>;
  /** The apps that may search a data store or corpus, by its key above: resource names, which may end in `*`. Default: all may. */
  readonly apps?: Readonly<Record<string, readonly string[]>>;
  /** Holds `<project>/<location>/<app id>/<tool name>/` for each file search tool without a corpus of its own. */
  readonly filesFolder: string;
  /** Folder of the indexes, which can be rebuilt at any time. */
  readonly indexFolder: string;
  /** Searches data stores that are not on this machine. Default: they cannot be searched. */
  readonly vertex?: VertexSettings;
  /** Provider of web search. Default: none. */
  readonly web?: WebSettings;
}

/** Where the documents of one data store are. */
export type StoreSettings =
  | ({ readonly kind: "folder" } & FolderSettings)
  | ({ readonly kind: "sitemap" } & SitemapSettings);

/** Vertex AI Search (Discovery Engine). */
export interface VertexSettings {
  /** "" = Google's endpoint for the location of the data store. */
  readonly endpoint: string;
}

/** A web search provider and its access. */
export type WebSettings =
  | {
      readonly kind: "gemini";
      readonly model: string;
      /** "" = Google's endpoint. */
      readonly endpoint: string;
      readonly access:
        | { readonly kind: "api-key"; readonly apiKey: string }
        | { readonly kind: "vertex"; readonly project: string; readonly location: string };
    }
  | { readonly kind: "programmable"; readonly endpoint: string; readonly apiKey: string; readonly engineId: string }
  | { readonly kind: "brave"; readonly endpoint: string; readonly apiKey: string }
  | { readonly kind: "searxng"; readonly endpoint: string };
