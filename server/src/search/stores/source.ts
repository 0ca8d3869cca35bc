import type { JsonObject } from "#base";
import type { DocumentKind } from "../documents/parse-document.ts";
import type { Language } from "../text/languages.ts";

/** A source of documents: a folder or a sitemap. */
export interface DocumentSource {
  /** Lists the current items. Rejects with `SearchError`. */
  list(): Promise<readonly SourceItem[]>;
  /** Calls `changed` when items may have changed; called again before each listing. Default: never. */
  watch?(changed: () => void): void;
  /** Whether items changed since the last listing. Checked with each query, because watchers report with a delay. Default: no. */
  isStale?(): Promise<boolean>;
  /** Milliseconds after which the source is listed again. */
  readonly refreshMs: number;
  /** Language of the documents. Default: detected for each item. */
  readonly language?: Language | undefined;
  close?(): void;
}

/** A file or page that is not read yet. */
export interface SourceItem {
  /** The key within its source. */
  readonly path: string;
  /** Changes with the content or its metadata. */
  readonly stamp: string;
  /** Location for citations. */
  readonly uri: string;
  /** Used where the document has no title of its own. */
  readonly title: string;
  /** Metadata from outside the file; it overrides metadata in the file. */
  readonly data: JsonObject;
  /** Rejects with `DocumentFault` when it cannot be read. */
  read(): Promise<{ readonly bytes: Uint8Array; readonly kind: DocumentKind }>;
}
