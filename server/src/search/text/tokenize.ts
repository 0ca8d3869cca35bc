import { LANGUAGES, type Language } from "./languages.ts";

/**
 * Scripts without spaces between words, and Korean, whose words include particles, are indexed as overlapping bigrams, so that a word is
 * found anywhere.
 */
const RUNS =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+)|([\p{L}\p{N}\p{M}]+)/gu;
const MARKS = /\p{M}+/gu;
const LATIN = /^[a-z]{3,40}$/;
/** Longer words, such as encoded data, are cut. */
const MAX_WORD = 64;
/** Characters from which the language of a text is detected. */
const SAMPLE = 20_000;

/**
 * The terms of a text, in order: lower case, without accents, Latin words stemmed in `language`, scripts without spaces as bigrams.
 * Documents and queries use the same tokenizer, so their terms always match.
 */
export function tokenize(text: string, language: Language = "en"): string[] {
  return splitWords(text).map((word) => stem(word, language));
}

/**
 * The terms of a query, once for each language of the documents, without stop words of any of these languages. A query of stop words only
 * keeps them.
 */
export function tokenizeQuery(query: string, languages: readonly Language[]): readonly (readonly string[])[] {
  const all = splitWords(query);
  const content = all.filter((word) => !languages.some((language) => LANGUAGES[language].functionWords.has(word)));
  const words = content.length > 0 ? content : all;
  return languages.map((language) => [...new Set(words.map((word) => stem(word, language)))]);
}

/** Detects the language of a text by its stop words; English without any. */
export function detectLanguage(text: string): Language {
  const found = splitWords(text.slice(0, SAMPLE));
  let best: Language = "en";
  let most = 0;
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { functionWords } = LANGUAGES[language];
    const count = found.filter((word) => functionWords.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** The folded words of a text, and the bigrams of scripts without spaces. */
function splitWords(text: string): string[] {
  const found: string[] = [];
  for (const [, unspaced, word] of fold(text).matchAll(RUNS)) {
    if (unspaced !== undefined) found.push(...bigrams(unspaced));
    else if (word !== undefined) found.push(word.slice(0, MAX_WORD));
  }
  return found;
}

/** Lower case without accents of Latin, Greek and Cyrillic letters. Other marks stay: Thai vowel signs are marks, too, and Hangul is composed. */
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
