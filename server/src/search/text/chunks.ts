import type { Section } from "../documents/parsed-document.ts";

/** A passage as it is indexed and shown. */
export interface Chunk {
  readonly heading: string;
  readonly text: string;
}

/** Characters that a passage aims at: a few paragraphs, enough to answer from. */
const TARGET = 900;
/** Characters that a passage never exceeds. */
const LONGEST = 1_400;
/** Most passages of one document. */
const MOST = 20_000;

/** Cuts sections into passages: never across a heading, between paragraphs where possible, else between sentences. */
export function chunks(sections: readonly Section[]): readonly Chunk[] {
  const all = sections.flatMap(({ heading, text }) => passages(text).map((passage) => ({ heading, text: passage })));
  const bare = sections.filter(({ heading, text }) => heading !== "" && text.trim() === "");
  // A heading without text is still something to find, but only where nothing else is.
  return (all.length > 0 ? all : bare.map(({ heading }) => ({ heading: "", text: heading }))).slice(0, MOST);
}

function passages(text: string): readonly string[] {
  const found: string[] = [];
  let current = "";
  const pieces = text.split(/\n+/).flatMap((paragraph) => pieceOf(paragraph.trim()));
  for (const { piece, glue } of pieces) {
    if (current !== "" && current.length + piece.length + 1 > TARGET) {
      found.push(current);
      current = "";
    }
    current = current === "" ? piece : `${current}${glue}${piece}`;
  }
  return current === "" ? found : [...found, current];
}

/** A paragraph whole, or its sentences when it is long; a sentence without an end is cut. */
function pieceOf(paragraph: string): readonly { readonly piece: string; readonly glue: string }[] {
  if (paragraph === "") return [];
  if (paragraph.length <= TARGET) return [{ piece: paragraph, glue: "\n" }];
  return sentences(paragraph).map((piece, at) => ({ piece, glue: at === 0 ? "\n" : " " }));
}

const SENTENCES = new Intl.Segmenter("und", { granularity: "sentence" });

/** The sentences of a text, each at most as long as a passage may be. */
export function sentences(text: string): readonly string[] {
  return [...SENTENCES.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== "")
    .flatMap(cut);
}

function cut(sentence: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < sentence.length; at += LONGEST) parts.push(sentence.slice(at, at + LONGEST));
  return parts;
}
