import type { Detector, Finding } from "../contract.ts";

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/** Words and phrases of an operator's list, whole, in any case, whatever parts the words of a phrase. */
export function dictionary(infoType: string, entries: readonly string[]): Detector {
  const phrases = new Set(entries.map((entry) => phraseOf(wordsOf(entry).map(([word]) => word))));
  phrases.delete("");
  const longest = Math.max(0, ...entries.map((entry) => wordsOf(entry).length));
  return {
    infoType,
    find(text) {
      const words = wordsOf(text);
      const found: Finding[] = [];
      for (let at = 0; at < words.length; at++) {
        const count = longestPhrase(words, at, longest, phrases);
        const [, start] = words[at] ?? ["", 0];
        const [last, lastStart] = words[at + count - 1] ?? ["", 0];
        if (count === 0) continue;
        found.push([start, lastStart + last.length]);
        at += count - 1;
      }
      return found;
    },
  };
}

type Word = readonly [text: string, start: number];

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }): Word => [word, index]);
}

function phraseOf(words: readonly string[]): string {
  return words.join(" ").normalize("NFC").toLowerCase();
}

/** How many words from here make up an entry; 0 for none. */
function longestPhrase(words: readonly Word[], at: number, longest: number, phrases: ReadonlySet<string>): number {
  for (let count = Math.min(longest, words.length - at); count > 0; count--) {
    if (phrases.has(phraseOf(words.slice(at, at + count).map(([word]) => word)))) return count;
  }
  return 0;
}
