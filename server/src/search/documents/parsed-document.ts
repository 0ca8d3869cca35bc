import type { JsonObject } from "#base";

/** A parsed document. A file is one document, a table one for each row. */
export interface ParsedDocument {
  readonly title: string;
  /** Its location; "" = that of its file. */
  readonly uri: string;
  readonly sections: readonly Section[];
  /** Metadata for filters and boosts: `struct_data`. */
  readonly data: JsonObject;
}

/** A part of a document under one heading. Paragraphs are separated by line ends. */
export interface Section {
  /** "" before the first heading. */
  readonly heading: string;
  readonly text: string;
}

/** Why a document cannot be indexed. The message is one line for the operator. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
  /** Whether the same document may be read another time: its server is away or busy. Default false. */
  readonly passes: boolean;

  constructor(message: string, { passes = false }: { readonly passes?: boolean } = {}) {
    super(message);
    this.passes = passes;
  }
}

/** Limit of characters of one file; the rest is not indexed. */
export const MAX_CHARACTERS = 10_000_000;
/** Limit of rows of one table; the rest is not indexed. */
export const MAX_ROWS = 100_000;
