import type { JsonObject } from "#base";

/** What an index takes of a file: one document, or one a row. */
export interface ParsedDocument {
  readonly title: string;
  /** Where it can be read; "" = where its file is. */
  readonly uri: string;
  readonly sections: readonly Section[];
  /** What filters and boosts see of it: `struct_data`. */
  readonly data: JsonObject;
}

/** A piece of a document under one heading. Paragraphs are separated by line ends. */
export interface Section {
  /** "" for what stands before the first heading. */
  readonly heading: string;
  readonly text: string;
}

/** Why a document gives no text; the message is one line for the operator. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
}

/** Most characters of text that are taken of one file; a longer one is cut, not refused. */
export const MAX_CHARACTERS = 10_000_000;
/** Most rows that are taken of one table. */
export const MAX_ROWS = 100_000;
