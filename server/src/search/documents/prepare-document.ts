import type { JsonObject } from "#base";
import { chunks } from "../text/chunks.ts";
import type { Language } from "../text/languages.ts";
import { languageOf, terms } from "../text/terms.ts";
import type { ParsedDocument } from "./parsed-document.ts";

/** A document cut into passages, with their terms: all that costs time, done before an index sees it. */
export interface PreparedDocument {
  readonly title: string;
  readonly uri: string;
  readonly data: JsonObject;
  /** In which its words were cut to their stems. */
  readonly language: Language;
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

/** Documents of one file that tell its language, at most: a table may have a hundred thousand rows. */
const TELLING = 50;

/** The documents of one file. A row of a table is too short to tell its language, so all are in the file's, unless it is known. */
export function prepareDocuments(
  documents: readonly ParsedDocument[],
  known: Language | undefined,
): readonly PreparedDocument[] {
  const language = known ?? languageOf(documents.slice(0, TELLING).map(textOf).join("\n"));
  return documents.map((document) => prepareDocument(document, language));
}

function textOf({ title, sections }: ParsedDocument): string {
  return [title, ...sections.map(({ heading, text }) => `${heading}\n${text}`)].join("\n").slice(0, 10_000);
}

function prepareDocument({ title, uri, sections, data }: ParsedDocument, language: Language): PreparedDocument {
  const termsOf = (text: string) => terms(text, language).join(" ");
  return {
    title,
    uri,
    data,
    language,
    titleTerms: termsOf(title),
    chunks: chunks(sections).map(({ heading, text }) => ({
      heading,
      text,
      headingTerms: termsOf(heading),
      textTerms: termsOf(text),
    })),
  };
}
