import type { Logger } from "#base";
import type { EmbeddingModel } from "#models";
import { DocumentFault } from "../documents/parsed-document.ts";
import type { Parsers } from "../documents/parsers.ts";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Language } from "../text/languages.ts";
import type { DocumentSource, SourceItem } from "./source.ts";

/** What brings an index up to date. */
export interface SyncDeps {
  readonly parsers: Parsers;
  readonly embeddings: EmbeddingModel | undefined;
  readonly logger: Logger;
}

/** Passages that are embedded with one call. */
const EMBEDDED_AT_ONCE = 64;

/** Brings an index up to what its source has: reads what is new or changed, forgets what is gone. */
export async function syncIndex(
  index: SearchIndex,
  source: DocumentSource,
  deps: SyncDeps,
  signal: AbortSignal,
): Promise<void> {
  const items = await source.list();
  const known = new Map(index.files().map(({ path, stamp }) => [path, stamp]));
  const present = new Set(items.map(({ path }) => path));
  for (const path of known.keys()) if (!present.has(path)) index.remove(path);
  for (const item of items) {
    signal.throwIfAborted();
    if (known.get(item.path) !== item.stamp) await indexItem(index, item, source.language, deps, signal);
  }
  if (deps.embeddings) await embedMissing(index, deps.embeddings, deps.logger, signal);
}

/** A file that cannot be read is kept by its fault, so that it is tried again only when it changes. */
async function indexItem(
  index: SearchIndex,
  item: SourceItem,
  language: Language | undefined,
  { parsers, logger }: SyncDeps,
  signal: AbortSignal,
) {
  try {
    const { bytes, kind } = await item.read();
    const documents = await parsers.parse(bytes, kind, language);
    signal.throwIfAborted();
    const content = { uri: item.uri, documents: documents.map((document) => completed(document, item)) };
    await index.put(item, content, signal);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    signal.throwIfAborted();
    logger.warn({ document: item.path, fault: error.message }, "a document cannot be searched");
    await index.put(item, { uri: item.uri, documents: [], fault: error.message });
  }
}

/** What is known beside the file wins over what is in it. */
function completed(document: PreparedDocument, { title, data }: SourceItem): PreparedDocument {
  const ownTitle = typeof data.title === "string" ? data.title : document.title;
  return { ...document, title: ownTitle || title, data: { ...document.data, ...data } };
}

/** Without vectors words still find: a provider that fails is told of, and asked again with the next change. */
async function embedMissing(index: SearchIndex, embeddings: EmbeddingModel, logger: Logger, signal: AbortSignal) {
  try {
    for (;;) {
      const missing = index.withoutVectors(embeddings.label, EMBEDDED_AT_ONCE);
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
    logger.warn({ err: error, model: embeddings.label }, "passages were not embedded; search goes by words");
  }
}
