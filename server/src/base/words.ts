import { once } from "./once.ts";

/** Letters and digits with their marks: vowel signs of Hindi and tones of Thai are marks, and tell words apart. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that write sentences without spaces between the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// Loading its dictionaries takes a moment, which a start needs not.
const segmenter = once(() => new Intl.Segmenter("und", { granularity: "word" }));

/** The words of a text in lower case, without punctuation, in any language. */
export function wordsOf(text: string): readonly string[] {
  const found = text.normalize("NFC").toLowerCase().match(WORD) ?? [];
  return found.flatMap((run) =>
    UNSPACED.test(run) ? [...segmenter().segment(run)].map(({ segment }) => segment) : [run],
  );
}
