import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "#base";
import type { PreparedDocument } from "../documents/prepare-document.ts";
import { contentTerms } from "../text/terms.ts";
import { nearness } from "./nearness.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import { fromBlob, toBlob, VectorTable } from "./vectors.ts";

/** A file as an index knows it. `stamp` changes when the file does. */
export interface IndexedFile {
  readonly path: string;
  readonly stamp: string;
}

/** What a file holds. */
export interface FileContent {
  /** Where documents are that do not say so themselves. */
  readonly uri: string;
  readonly documents: readonly PreparedDocument[];
  /** Why it cannot be read; "" or absent when it can. */
  readonly fault?: string;
}

/** A passage that a question found. */
export interface Candidate {
  readonly chunk: number;
  readonly document: number;
  readonly uri: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly data: JsonObject;
  /** Comparable between indexes that were asked the same way; higher is better. */
  readonly relevance: number;
}

/** A question, as an index takes it. */
export interface IndexQuery {
  readonly query: string;
  /** The question's embedding, when there is one. */
  readonly vector?: Float32Array;
  /** Which documents count. Default all. */
  readonly accepts?: (data: JsonObject) => boolean;
  /** Most candidates. */
  readonly limit: number;
}

/** How many of the best by words are looked at closely. */
const CLOSE_LOOK = 60;
/** Most different words of a question that count. */
const MAX_TERMS = 32;
/** Passages that are written in one go: some milliseconds. */
const BATCH = 200;
/** Reciprocal rank fusion: how little a place further down weighs less. */
const FUSION = 20;

/** The passages of one data store in SQLite: by words (BM25 over title, heading and body), and by vectors where there are any. */
export class SearchIndex {
  readonly #database: DatabaseSync;
  readonly #ranked: StatementSync;
  readonly #chunk: StatementSync;
  readonly #insertDocument: StatementSync;
  readonly #insertChunk: StatementSync;
  readonly #insertTerms: StatementSync;
  readonly #data = new Map<number, JsonObject>();
  #vectors: VectorTable | undefined;

  /** Opens the file, `:memory:` for none. An index of another form is emptied: it can be made again. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
    prepareSchema(this.#database);
    this.#ranked = this.#database.prepare(
      "SELECT rowid AS chunk, -rank AS score, title, heading, body FROM terms WHERE terms MATCH ? ORDER BY rank",
    );
    this.#chunk = this.#database.prepare(
      "SELECT c.id, c.document, c.heading, c.text, d.uri, d.title FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?",
    );
    const insert = (into: string, values: string) => this.#database.prepare(`INSERT INTO ${into} VALUES (${values})`);
    this.#insertDocument = insert("documents (file, uri, title, data)", "?, ?, ?, ?");
    this.#insertChunk = insert("chunks (document, heading, text)", "?, ?, ?");
    this.#insertTerms = insert("terms (rowid, title, heading, body)", "?, ?, ?, ?");
  }

  /** The files that are in the index. */
  files(): readonly IndexedFile[] {
    return this.#database.prepare("SELECT path, stamp FROM files").all() as unknown as readonly IndexedFile[];
  }

  /** Files that could not be read, and why. */
  faults(): readonly { readonly path: string; readonly fault: string }[] {
    const rows = this.#database.prepare("SELECT path, fault FROM files WHERE fault <> ''").all();
    return rows as unknown as readonly { path: string; fault: string }[];
  }

  /** How many documents there are. */
  count(): number {
    return Number(this.#database.prepare("SELECT count(*) AS count FROM documents").get()?.count ?? 0);
  }

  /**
   * Replaces what is known of a file, a few hundred passages at a time, so that questions are answered in between. Until the
   * last of them its stamp is empty: what breaks off is done again.
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

  /** Passages that have no vector of this embedding yet. Another embedding's vectors are dropped first. */
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

  /** The best passages for a question, best first. */
  search({ query, vector, accepts, limit }: IndexQuery): readonly Candidate[] {
    const byWords = this.#byWords(query, accepts, Math.max(limit, CLOSE_LOOK));
    const ranked = vector ? fuse(byWords, this.#byVector(vector, accepts, Math.max(limit, CLOSE_LOOK))) : byWords;
    return ranked.slice(0, limit).flatMap(({ chunk, relevance }) => this.#candidate(chunk, relevance));
  }

  close(): void {
    this.#database.close();
  }

  #byWords(query: string, accepts: Accepts | undefined, limit: number): readonly Ranked[] {
    const wanted = [...new Set(contentTerms(query))].slice(0, MAX_TERMS);
    if (wanted.length === 0) return [];
    const expression = wanted.map((term) => `"${term}"`).join(" OR ");
    const found: Ranked[] = [];
    for (const row of this.#ranked.iterate(expression)) {
      const chunk = Number(row.chunk);
      if (accepts && !accepts(this.#dataOf(chunk))) continue;
      const closeness = nearness(wanted, [String(row.title), String(row.heading), String(row.body)]);
      found.push({ chunk, relevance: Number(row.score) * closeness });
      if (found.length >= limit) break;
    }
    return found.sort((first, second) => second.relevance - first.relevance);
  }

  #byVector(vector: Float32Array, accepts: Accepts | undefined, limit: number): readonly Ranked[] {
    this.#vectors ??= this.#loadVectors();
    return this.#vectors.nearest(vector, limit, (chunk) => !accepts || accepts(this.#dataOf(chunk)));
  }

  #loadVectors(): VectorTable {
    const rows = this.#database.prepare("SELECT id, vector FROM chunks WHERE vector IS NOT NULL").all();
    return new VectorTable(
      rows.flatMap(({ id, vector }) =>
        vector instanceof Uint8Array ? [{ chunk: Number(id), vector: fromBlob(vector) }] : [],
      ),
    );
  }

  #candidate(chunk: number, relevance: number): readonly Candidate[] {
    const row = this.#chunk.get(chunk);
    if (!row) return [];
    return [
      {
        chunk,
        document: Number(row.document),
        uri: String(row.uri),
        title: String(row.title),
        heading: String(row.heading),
        text: String(row.text),
        data: this.#dataOf(chunk),
        relevance,
      },
    ];
  }

  /** Kept once read: filters and boosts look at every candidate. */
  #dataOf(chunk: number): JsonObject {
    const known = this.#data.get(chunk);
    if (known) return known;
    const row = this.#database
      .prepare("SELECT d.data FROM documents d JOIN chunks c ON c.document = d.id WHERE c.id = ?")
      .get(chunk);
    const data = JSON.parse(String(row?.data ?? "{}")) as JsonObject;
    this.#data.set(chunk, data);
    return data;
  }

  #insert(path: string, uri: string, document: PreparedDocument): void {
    const { title, data, titleTerms } = document;
    const id = this.#insertDocument.run(path, document.uri || uri, title, JSON.stringify(data)).lastInsertRowid;
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
    this.#data.clear();
  }
}

type Accepts = NonNullable<IndexQuery["accepts"]>;

interface Ranked {
  readonly chunk: number;
  readonly relevance: number;
}

/** Documents in groups of some hundred passages. */
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

/** Reciprocal rank fusion: places count, because scores of words and of vectors are not comparable. */
function fuse(byWords: readonly Ranked[], byVector: readonly Ranked[]): readonly Ranked[] {
  const sums = new Map<number, number>();
  for (const list of [byWords, byVector])
    for (const [place, { chunk }] of list.entries()) sums.set(chunk, (sums.get(chunk) ?? 0) + 1 / (FUSION + place + 1));
  return [...sums]
    .map(([chunk, relevance]) => ({ chunk, relevance }))
    .sort((first, second) => second.relevance - first.relevance);
}

function prepareSchema(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version === SCHEMA_VERSION) return;
  database.exec("DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS chunks; DROP TABLE IF EXISTS documents;");
  database.exec("DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS meta;");
  database.exec(SCHEMA);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
