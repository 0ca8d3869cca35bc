import { stemmer } from "stemmer";

/**
 * Scripts that put no spaces between words, and Korean, whose words carry their particles: indexed as overlapping pairs of
 * letters, so that a word is found wherever it stands.
 */
const RUNS =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+)|([\p{L}\p{N}\p{M}]+)/gu;
const MARKS = /\p{M}+/gu;
const ENGLISH = /^[a-z]{3,40}$/;
/** A longer word is an encoded file or an attack; its beginning is enough to find it. */
const MAX_WORD = 64;

/**
 * The terms of a text, in order: lower case, without accents, English words by their stem (Porter), unspaced scripts as
 * bigrams. Documents and queries go through this one function, so both always agree.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const match of fold(text).matchAll(RUNS)) {
    const [, unspaced, word] = match;
    if (unspaced !== undefined) found.push(...bigrams(unspaced));
    else if (word !== undefined) found.push(stem(word.slice(0, MAX_WORD)));
  }
  return found;
}

/** The terms that say something: without English function words, unless there is nothing else. */
export function contentTerms(text: string): string[] {
  const all = terms(text);
  const telling = all.filter((term) => !STOP_TERMS.has(term));
  return telling.length > 0 ? telling : all;
}

/** Accents go, but Hangul is put together again: it would fall into its letters. Vowel signs of Thai and its kin are marks, too, and stay. */
function fold(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase();
  if (/^[\p{ASCII}]*$/u.test(lower)) return lower;
  return lower.replace(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*/gu, (letter) =>
    letter.normalize("NFKD").replace(MARKS, ""),
  );
}

function stem(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}

function bigrams(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`);
}

const STOP_TERMS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of " +
    "on or our please should so some such tell than that the their them then there these they this to was we were what " +
    "when where which who why will with would you your about any am us"
  )
    .split(" ")
    .map(stem),
);
