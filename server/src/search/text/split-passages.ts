import { once } from "#base";
import type { Section } from "../documents/parsed-document.ts";

/** A passage with its heading. */
interface Passage {
  readonly heading: string;
  readonly text: string;
}

/** Target length of a passage, characters: a few paragraphs. */
const TARGET_LENGTH = 900;
/** Maximum length of a passage, characters. */
const MAX_LENGTH = 1_400;
/** Limit of passages of one document. */
const MAX_PASSAGES = 20_000;

/** Splits sections into passages: never across a heading, between paragraphs where possible, else between sentences. */
export function splitPassages(sections: readonly Section[]): readonly Passage[] {
  const all = sections.flatMap(({ heading, text }) => passages(text).map((passage) => ({ heading, text: passage })));
  const bare = sections.filter(({ heading, text }) => heading !== "" && text.trim() === "");
  // Headings without text become passages only when the document has no text at all.
  return (all.length > 0 ? all : bare.map(({ heading }) => ({ heading: "", text: heading }))).slice(0, MAX_PASSAGES);
}

function passages(text: string): readonly string[] {
  const found: string[] = [];
  let current = "";
  const pieces = text.split(/\n+/).flatMap((paragraph) => splitParagraph(paragraph.trim()));
  for (const { piece, glue } of pieces) {
    if (current !== "" && current.length + piece.length + 1 > TARGET_LENGTH) {
      found.push(current);
      current = "";
    }
    current = current === "" ? piece : `${current}${glue}${piece}`;
  }
  return current === "" ? found : [...found, current];
}

/** A whole paragraph, or its sentences when it is long; a sentence that is too long is cut. */
function splitParagraph(paragraph: string): readonly { readonly piece: string; readonly glue: string }[] {
  if (paragraph === "") return [];
  if (paragraph.length <= TARGET_LENGTH) return [{ piece: paragraph, glue: "\n" }];
  return sentences(paragraph).map((piece, at) => ({ piece, glue: at === 0 ? "\n" : " " }));
}

/** Reading its rules takes a fiftieth of a server's start. */
const segmenter = once(() => new Intl.Segmenter("und", { granularity: "sentence" }));

/** The sentences of a text, each at most `MAX_LENGTH` long. */
export function sentences(text: string): readonly string[] {
  return [...segmenter().segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== "")
    .flatMap(cut);
}

function cut(sentence: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < sentence.length; at += MAX_LENGTH) parts.push(sentence.slice(at, at + MAX_LENGTH));
  return parts;
}
