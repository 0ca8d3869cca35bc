import type { JsonObject } from "#base";
import { chunks } from "../text/chunks.ts";
import { terms } from "../text/terms.ts";
import type { ParsedDocument } from "./parsed-document.ts";

/** A document cut into passages, with their terms: all that costs time, done before an index sees it. */
export interface PreparedDocument {
  readonly title: string;
  readonly uri: string;
  readonly data: JsonObject;
  /** Terms are separated by spaces, here and below. */
  readonly titleTerms: string;
  readonly chunks: readonly PreparedChunk[];
}

export interface PreparedChunk {
  readonly heading: string;
  readonly text: string;
  readonly headingTerms: string;
  readonly textTerms: string;
}

export function prepareDocument({ title, uri, sections, data }: ParsedDocument): PreparedDocument {
  return {
    title,
    uri,
    data,
    titleTerms: terms(title).join(" "),
    chunks: chunks(sections).map(({ heading, text }) => ({
      heading,
      text,
      headingTerms: terms(heading).join(" "),
      textTerms: terms(text).join(" "),
    })),
  };
}
