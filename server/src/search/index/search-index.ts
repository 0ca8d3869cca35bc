import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import { type Candidate, createPassages, type Passages } from "./passages.ts";
import { type Accepts, fuse, type RankedPassage } from "./ranked.ts";
import { prepareSchema } from "./schema.ts";
import { fromBlob, toBlob, VectorTable } from "./vectors.ts";
import { createWordSearch, type WordSearch } from "./word-search.ts";

/** A file in the index. `stamp` changes when the file does. */
interface IndexedFile {
  readonly path: string;
  readonly stamp: string;
}

/** The documents of a file. */
interface FileContent {
  /** URI of documents without their own. */
  readonly uri: string;
  readonly documents: readonly PreparedDocument[];
  /** Why it cannot be parsed; "" or absent when it can. */
  readonly fault?: string;
}

/** A query to an index. */
export interface IndexQuery {
  readonly query: string;
  /** The query's embedding, if any. */
  readonly vector?: Float32Array;
  /** Filter of documents. Default: all. */
  readonly accepts?: Accepts;
  /** Maximum number of candidates. */
  readonly limit: number;
}

/** Passages that are ranked again by proximity. */
const RERANKED = 60;
/** Passages of one write transaction: some milliseconds. */
const BATCH = 200;

/** Index of the passages of one data store in SQLite: full text (BM25 over title, heading and body), and vectors where there are any. */
export class SearchIndex {
  readonly #database: DatabaseSync;
  readonly #passages: Passages;
  readonly #words: WordSearch;
  readonly #insertDocument: StatementSync;
  readonly #insertChunk: StatementSync;
  readonly #insertTerms: StatementSync;
  #vectors: VectorTable | undefined;

  /** Opens the file, or `:memory:`. An index of another schema version is emptied. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    prepareSchema(this.#database);
    this.#passages = createPassages(this.#database);
    this.#words = createWordSearch(this.#database, this.#passages);
    const insert = (into: string, values: string) => this.#database.prepare(`INSERT INTO ${into} VALUES (${values})`);
    this.#insertDocument = insert("documents (file, uri, title, data, language)", "?, ?, ?, ?, ?");
    this.#insertChunk = insert("chunks (document, heading, text)", "?, ?, ?");
    this.#insertTerms = insert("terms (rowid, title, heading, body)", "?, ?, ?, ?");
  }

  /** The files in the index. */
  files(): readonly IndexedFile[] {
    return this.#database.prepare("SELECT path, stamp FROM files").all() as unknown as readonly IndexedFile[];
  }

  /** Files that could not be parsed, with the reason. */
  faults(): readonly { readonly path: string; readonly fault: string }[] {
    const rows = this.#database.prepare("SELECT path, fault FROM files WHERE fault <> ''").all();
    return rows as unknown as readonly { path: string; fault: string }[];
  }

  /** The number of documents. */
  count(): number {
    return Number(this.#database.prepare("SELECT count(*) AS count FROM documents").get()?.count ?? 0);
  }

  /**
   * Replaces a file, a few hundred passages at a time, so that queries run in between. The stamp is empty until all are written, so an
   * interrupted write is repeated.
   */
  async put(file: IndexedFile, { uri, documents, fault = "" }: FileContent, signal?: AbortSignal): Promise<void> {
    this.#write(() => {
      this.#removeFile(file.path);
      this.#database.prepare("INSERT INTO files (path, stamp, fault) VALUES (?, '', ?)").run(file.path, fault);
    });
    for (const batch of batches(documents)) {
      this.#write(() => {
        for (const document of batch) this.#insert(file.path, uri, document);
      });
      await setImmediate();
      signal?.throwIfAborted();
    }
    this.#database.prepare("UPDATE files SET stamp = ? WHERE path = ?").run(file.stamp, file.path);
  }

  remove(path: string): void {
    this.#write(() => this.#removeFile(path));
  }

  /** Passages without a vector of this embedding model. Vectors of another model are deleted first. */
  withoutVectors(embedding: string, limit: number): readonly { readonly chunk: number; readonly text: string }[] {
    const known = this.#database.prepare("SELECT value FROM meta WHERE key = 'embedding'").get()?.value;
    if (known !== embedding) {
      this.#write(() => {
        this.#database.exec("UPDATE chunks SET vector = NULL");
        this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('embedding', ?)").run(embedding);
      });
    }
    const rows = this.#database
      .prepare(
        "SELECT c.id AS chunk, d.title, c.heading, c.text FROM chunks c JOIN documents d ON d.id = c.document WHERE c.vector IS NULL ORDER BY c.id LIMIT ?",
      )
      .all(limit);
    return rows.map(({ chunk, title, heading, text }) => ({
      chunk: Number(chunk),
      text: [title, heading, text].filter(Boolean).join("\n"),
    }));
  }

  putVectors(vectors: readonly { readonly chunk: number; readonly vector: Float32Array }[]): void {
    this.#write(() => {
      const update = this.#database.prepare("UPDATE chunks SET vector = ? WHERE id = ?");
      for (const { chunk, vector } of vectors) update.run(toBlob(vector), chunk);
    });
  }

  /** The best passages for a query, best first. */
  search({ query, vector, accepts, limit }: IndexQuery): readonly Candidate[] {
    const candidates = Math.max(limit, RERANKED);
    const byWords = this.#words.find(query, accepts, candidates);
    const ranked = vector ? fuse(byWords, this.#byVector(vector, accepts, candidates)) : byWords;
    return ranked.slice(0, limit).flatMap((found) => this.#passages.candidate(found));
  }

  close(): void {
    this.#database.close();
  }

  #byVector(vector: Float32Array, accepts: Accepts | undefined, limit: number): readonly RankedPassage[] {
    this.#vectors ??= this.#loadVectors();
    return this.#vectors.nearest(vector, limit, (chunk) => !accepts || accepts(this.#passages.dataOf(chunk)));
  }

  #loadVectors(): VectorTable {
    const rows = this.#database.prepare("SELECT id, vector FROM chunks WHERE vector IS NOT NULL").all();
    return new VectorTable(
      rows.flatMap(({ id, vector }) =>
        vector instanceof Uint8Array ? [{ chunk: Number(id), vector: fromBlob(vector) }] : [],
      ),
    );
  }

  #insert(path: string, uri: string, document: PreparedDocument): void {
    const { title, data, language, titleTerms } = document;
    const id = this.#insertDocument.run(
      path,
      document.uri || uri,
      title,
      JSON.stringify(data),
      language,
    ).lastInsertRowid;
    for (const { heading, text, headingTerms, textTerms } of document.chunks) {
      const chunk = this.#insertChunk.run(id, heading, text).lastInsertRowid;
      this.#insertTerms.run(chunk, titleTerms, headingTerms, textTerms);
    }
  }

  #removeFile(path: string): void {
    this.#database
      .prepare(
        "DELETE FROM terms WHERE rowid IN (SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document WHERE d.file = ?)",
      )
      .run(path);
    this.#database.prepare("DELETE FROM files WHERE path = ?").run(path);
  }

  #write(change: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
    this.#vectors = undefined;
    this.#passages.invalidate();
    this.#words.invalidate();
  }
}

/** Groups documents into batches of some hundred passages. */
function* batches(documents: readonly PreparedDocument[]): Generator<readonly PreparedDocument[], void> {
  let batch: PreparedDocument[] = [];
  let size = 0;
  for (const document of documents) {
    batch.push(document);
    size += document.chunks.length;
    if (size < BATCH) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
