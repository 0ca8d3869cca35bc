/** The form of an index. A new number empties existing ones, which are then made again from their files. */
export const SCHEMA_VERSION = 1;

/**
 * Files hold documents, documents hold passages. `terms` has one row a passage, its words already cut and stemmed: the `ascii`
 * tokenizer parts them at spaces and leaves every other script alone.
 */
export const SCHEMA = `
CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, fault TEXT NOT NULL) STRICT;
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL REFERENCES files(path) ON DELETE CASCADE,
  uri TEXT NOT NULL, title TEXT NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_file ON documents(file);
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
