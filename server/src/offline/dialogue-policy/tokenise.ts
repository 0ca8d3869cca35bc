import { stem } from "./stem.ts";

/** The words of a text: lower case, no diacritics, contractions spread out, `snake_case` and `camelCase` split. Identifiers such as `a-1001` stay whole. */
export function words(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(
      /\b(\p{L}+)'(s|re|m|d|ll|ve)\b/gu,
      (_match, word: string, tail: string) => `${word} ${CONTRACTIONS[tail] ?? tail}`,
    )
    .replace(/n't\b/g, " not");
  return plain.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)?.flatMap(splitCompound) ?? [];
}

/** The terms of a text as the search sees it: stems of the words that carry meaning. Numbers and identifiers are values, not terms. */
export function terms(text: string): readonly string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word) && !/\d/.test(word) && word.length > 1)
    .map(stem);
}

/** Whether a word says something about the subject, as opposed to holding the sentence together. */
export function isContentWord(word: string): boolean {
  return !STOP_WORDS.has(word);
}

const CONTRACTIONS: Readonly<Record<string, string>> = {
  s: "is",
  re: "are",
  m: "am",
  d: "would",
  ll: "will",
  ve: "have",
};

function splitCompound(word: string): readonly string[] {
  return /\d/.test(word) ? [word] : word.split("-");
}

/** Words too common to tell one tool from another, the vocabulary of tool descriptions ("use this when the user …") included. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its i me my mine you your yours we us our ours they them their he him his she her
  is are am was were be been being do does did done doing have has had having will would can could shall should may might must
  and or but not no nor so if then else than because since as at by for from in into of off on onto out over to up with without about
  what which who whom whose why how when while there here also just only very too any all some each every other another same such
  please want wants wanted need needs like likes would let lets get gets got getting give gives tell tells told know knows see
  ask asks asked asking help helps helping use uses used using user users customer customers agent agents tool tools function call calls
  e g eg ie etc required optional default true false none null one two hi hello hey ok okay yes yeah thanks thank`.split(
    /\s+/,
  ),
);
