import type { DatabaseSync } from "node:sqlite";

/** Version of the schema. A new number empties existing indexes, which are rebuilt from their sources. */
const SCHEMA_VERSION = 2;

/**
 * Files have documents, documents have passages (chunks). `terms` has one row for each passage with its terms, tokenized and stemmed
 * before: the `ascii` tokenizer only splits them at spaces.
 */
const SCHEMA = `
CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, fault TEXT NOT NULL) STRICT;
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL REFERENCES files(path) ON DELETE CASCADE,
  uri TEXT NOT NULL, title TEXT NOT NULL, data TEXT NOT NULL, language TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_file ON documents(file);
CREATE INDEX documents_by_language ON documents(language);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  heading TEXT NOT NULL, text TEXT NOT NULL, vector BLOB
) STRICT;
CREATE INDEX chunks_by_document ON chunks(document);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE terms USING fts5(title, heading, body, tokenize = 'ascii');
INSERT INTO terms (terms, rank) VALUES ('rank', 'bm25(3.0, 2.0, 1.0)');
`;

/** Creates the tables, unless they exist in this version. */
export function prepareSchema(database: DatabaseSync): void {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version === SCHEMA_VERSION) return;
  database.exec("DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS chunks; DROP TABLE IF EXISTS documents;");
  database.exec("DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS meta;");
  database.exec(SCHEMA);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
