import type { Logger } from "#base";
import type { EmbeddingModel } from "#models";
import { DocumentFault } from "../documents/parsed-document.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Language } from "../text/languages.ts";
import type { DocumentSource, SourceItem } from "./source.ts";

/** Dependencies of `syncIndex`. */
export interface SyncDeps {
  readonly parsers: Parsers;
  readonly embeddings: EmbeddingModel | undefined;
  readonly logger: Logger;
}

/** Passages of one embedding call. */
const EMBEDDING_BATCH = 64;

/** What could not be read, and may be another time: such an item stays in the index as it was. */
export interface UnreadItems {
  /** Of how many items. */
  readonly of: number;
  /** The reasons, one for each. */
  readonly reasons: readonly string[];
}

/** Synchronizes an index with its source: indexes new and changed items, removes missing ones. Returns what could not be read this time. */
export async function syncIndex(
  index: SearchIndex,
  source: DocumentSource,
  deps: SyncDeps,
  signal: AbortSignal,
): Promise<UnreadItems> {
  const items = await source.list();
  const known = new Map(index.files().map(({ path, stamp }) => [path, stamp]));
  const present = new Set(items.map(({ path }) => path));
  for (const path of known.keys()) if (!present.has(path)) index.remove(path);
  const reasons: string[] = [];
  for (const item of items) {
    signal.throwIfAborted();
    if (known.get(item.path) === item.stamp) continue;
    const unread = await indexItem(index, item, source.language, deps, signal);
    if (unread !== undefined) reasons.push(unread);
  }
  if (deps.embeddings) await embedMissing(index, deps.embeddings, deps.logger, signal);
  return { of: items.length, reasons };
}

/**
 * Indexes an item. A file that cannot be parsed is recorded with the reason, so that it is parsed again only when it changes. Returns why it could not be
 * read, when that may pass.
 */
async function indexItem(
  index: SearchIndex,
  item: SourceItem,
  language: Language | undefined,
  { parsers, logger }: SyncDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { bytes, kind } = await item.read();
    const documents = await parsers.parse(bytes, kind, language);
    signal.throwIfAborted();
    const content = { uri: item.uri, documents: documents.map((document) => withMetadata(document, item)) };
    await index.put(item, content, signal);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    signal.throwIfAborted();
    logger.warn({ document: item.path, fault: error.message }, "a document cannot be searched");
    if (error.passes) return error.message;
    await index.put(item, { uri: item.uri, documents: [], fault: error.message });
  }
  return undefined;
}

/** Adds metadata from outside the file, which overrides metadata in the file. */
function withMetadata(document: PreparedDocument, { title, data }: SourceItem): PreparedDocument {
  const bestTitle = typeof data.title === "string" ? data.title : document.title;
  return { ...document, title: bestTitle || title, data: { ...document.data, ...data } };
}

/** Embeds passages without vectors. A failing provider is logged and called again with the next change; search is lexical until then. */
async function embedMissing(index: SearchIndex, embeddings: EmbeddingModel, logger: Logger, signal: AbortSignal) {
  try {
    for (;;) {
      const missing = index.withoutVectors(embeddings.label, EMBEDDING_BATCH);
      if (missing.length === 0) return;
      const vectors = await embeddings.embed(
        missing.map(({ text }) => text),
        { purpose: "document", signal },
      );
      signal.throwIfAborted();
      index.putVectors(missing.map(({ chunk }, at) => ({ chunk, vector: vectors[at] ?? new Float32Array() })));
    }
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn({ err: error, model: embeddings.label }, "passages were not embedded; search is lexical");
  }
}
