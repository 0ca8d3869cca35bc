import type { JsonObject } from "#base";
import type { Language } from "../text/languages.ts";
import { splitPassages } from "../text/split-passages.ts";
import { detectLanguage, tokenize } from "../text/tokenize.ts";
import type { ParsedDocument } from "./parsed-document.ts";

/** A document split into passages and tokenized: the slow work, done in the worker thread. */
export interface PreparedDocument {
  readonly title: string;
  readonly uri: string;
  readonly data: JsonObject;
  /** Language of the stemmer. */
  readonly language: Language;
  /** Terms separated by spaces; the same below. */
  readonly titleTerms: string;
  readonly chunks: readonly PreparedChunk[];
}

interface PreparedChunk {
  readonly heading: string;
  readonly text: string;
  readonly headingTerms: string;
  readonly textTerms: string;
}

/** Documents of a file from which its language is detected; a table may have a hundred thousand. */
const SAMPLE = 50;

/** Prepares the documents of one file, all in one language: a single row of a table is too short to detect it. */
export function prepareDocuments(
  documents: readonly ParsedDocument[],
  known: Language | undefined,
): readonly PreparedDocument[] {
  const language = known ?? detectLanguage(documents.slice(0, SAMPLE).map(textOf).join("\n"));
  return documents.map((document) => prepareDocument(document, language));
}

function textOf({ title, sections }: ParsedDocument): string {
  return [title, ...sections.map(({ heading, text }) => `${heading}\n${text}`)].join("\n").slice(0, 10_000);
}

function prepareDocument({ title, uri, sections, data }: ParsedDocument, language: Language): PreparedDocument {
  const termsOf = (text: string) => tokenize(text, language).join(" ");
  return {
    title,
    uri,
    data,
    language,
    titleTerms: termsOf(title),
    chunks: splitPassages(sections).map(({ heading, text }) => ({
      heading,
      text,
      headingTerms: termsOf(heading),
      textTerms: termsOf(text),
    })),
  };
}
