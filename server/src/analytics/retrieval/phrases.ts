/** Words of a phrase that is looked up, at most. */
const MAX_WORDS = 8;
/** Words of a text that are looked at. */
const MAX_TEXT_WORDS = 400;

/** A text as values are compared: lower case, without diacritics and punctuation. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** All runs of up to eight words of a text, longer ones first, with the place of their first word. */
export function phrasesOf(text: string): readonly { readonly phrase: string; readonly at: number }[] {
  const words = plain(text).split(" ").slice(0, MAX_TEXT_WORDS);
  const phrases: { phrase: string; at: number }[] = [];
  for (let length = Math.min(MAX_WORDS, words.length); length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++)
      phrases.push({ phrase: words.slice(at, at + length).join(" "), at });
  }
  return phrases;
}
