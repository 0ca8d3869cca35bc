import { LANGUAGES, type Language } from "./languages.ts";

/**
 * Scripts that put no spaces between words, and Korean, whose words carry their particles: indexed as overlapping pairs of
 * letters, so that a word is found wherever it stands.
 */
const RUNS =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+)|([\p{L}\p{N}\p{M}]+)/gu;
const MARKS = /\p{M}+/gu;
const LATIN = /^[a-z]{3,40}$/;
/** A longer word is an encoded file or an attack; its beginning is enough to find it. */
const MAX_WORD = 64;
/** Characters of a text that tell its language. */
const TELLING = 20_000;

/**
 * The terms of a text, in order: lower case, without accents, Latin words by their stem in `language`, unspaced scripts as bigrams.
 * Documents and questions go through this one function, so both always agree.
 */
export function terms(text: string, language: Language = "en"): string[] {
  return cut(text).map((word) => stem(word, language));
}

/**
 * The terms of a question that say something, once for each language that what is searched is in: without function words of any of them,
 * unless there is nothing else.
 */
export function questionTerms(question: string, languages: readonly Language[]): readonly (readonly string[])[] {
  const all = cut(question);
  const telling = all.filter((word) => !languages.some((language) => LANGUAGES[language].functionWords.has(word)));
  const words = telling.length > 0 ? telling : all;
  return languages.map((language) => [...new Set(words.map((word) => stem(word, language)))]);
}

/** The language of a text by the function words in it; English where nothing tells. */
export function languageOf(text: string): Language {
  const found = cut(text.slice(0, TELLING));
  let best: Language = "en";
  let most = 0;
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { functionWords } = LANGUAGES[language];
    const count = found.filter((word) => functionWords.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** The words of a text, folded, and the pairs of letters of scripts without spaces. */
function cut(text: string): string[] {
  const found: string[] = [];
  for (const [, unspaced, word] of fold(text).matchAll(RUNS)) {
    if (unspaced !== undefined) found.push(...bigrams(unspaced));
    else if (word !== undefined) found.push(word.slice(0, MAX_WORD));
  }
  return found;
}

/** Accents go, but Hangul is put together again: it would fall into its letters. Vowel signs of Thai and its kin are marks, too, and stay. */
function fold(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase();
  if (/^[\p{ASCII}]*$/u.test(lower)) return lower;
  return withoutAccents(lower).replaceAll("ß", "ss");
}

function withoutAccents(text: string): string {
  return text.replace(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*/gu, (letter) =>
    letter.normalize("NFKD").replace(MARKS, ""),
  );
}

function stem(word: string, language: Language): string {
  if (!LATIN.test(word)) return word;
  const { stem: stemOf, accented } = LANGUAGES[language];
  return accented ? withoutAccents(stemOf(accented(word))) : stemOf(word);
}

function bigrams(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`);
}
