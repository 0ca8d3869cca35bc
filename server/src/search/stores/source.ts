import type { JsonObject } from "#base";
import type { DocumentKind } from "../documents/parse-document.ts";
import type { Language } from "../text/languages.ts";

/** Where the documents of a store come from. */
export interface DocumentSource {
  /** What there is now. Rejects with `SearchError` when that cannot be found out. */
  list(): Promise<readonly SourceItem[]>;
  /** Calls `changed` when there may be something new; asked again before each listing. Default: never does. */
  watch?(changed: () => void): void;
  /** Whether something is known to be new since the last listing, looked at with each question: news of a watcher come a moment late. Default: nothing is. */
  isStale?(): Promise<boolean>;
  /** Milliseconds after which it is asked again unasked. */
  readonly refreshMs: number;
  /** What its documents are in. Default: what each tells. */
  readonly language?: Language | undefined;
  close?(): void;
}

/** A file or page, not yet read. */
export interface SourceItem {
  /** The key within its source. */
  readonly path: string;
  /** Changes when the content, or what is known beside it, does. */
  readonly stamp: string;
  /** Where whoever reads a citation finds it. */
  readonly uri: string;
  /** Used where the document has no title of its own. */
  readonly title: string;
  /** Data given beside the file, over what is in it. */
  readonly data: JsonObject;
  /** Rejects with `DocumentFault` when it cannot be read. */
  read(): Promise<{ readonly bytes: Uint8Array; readonly kind: DocumentKind }>;
}
