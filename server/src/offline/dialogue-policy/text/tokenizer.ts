/** The words of a text: lower case, no diacritics, contractions expanded, `snake_case` and `camelCase` split. Identifiers such as `a-1001` stay whole. */
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

/** The index terms of a text: stems of its content words. Numbers and identifiers are entities, not terms. */
export function terms(text: string): readonly string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word) && !/\d/.test(word) && word.length > 1)
    .map(stem);
}

/** Whether a word is a content word, not a stop word. */
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

/** Words too frequent to distinguish tools, with the vocabulary of tool descriptions ("use this when the user …"). */
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

/**
 * The stem under which forms of an English word meet: `returns`, `returned` and `returning` are all `return`.
 * A light suffix stripper: it need not produce words, only the same key for forms of one word. `word` is in lower case.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  return withoutEnding(withoutDerivation(withoutInflection(singular(word))));
}

function singular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutInflection(word: string): string {
  if (word.endsWith("eed")) return word;
  for (const suffix of ["ing", "ed"]) {
    const base = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && base.length >= 3 && /[aeiouy]/.test(base)) return base;
  }
  return word;
}

/** Derived nouns and adjectives, each with the shortest base that is still a word: `shipment` is `ship`, `comment` stays. */
const DERIVATIONS: readonly (readonly [suffix: string, shortestBase: number])[] = [
  ["ation", 4],
  ["ment", 4],
  ["able", 4],
  ["ible", 4],
  ["ness", 4],
  ["ful", 4],
  ["ly", 4],
  ["al", 5],
];

function withoutDerivation(word: string): string {
  for (const [suffix, shortestBase] of DERIVATIONS) {
    if (word.endsWith(suffix) && word.length - suffix.length >= shortestBase) return word.slice(0, -suffix.length);
  }
  return word;
}

/** Removes a final `e` or `y` (`arrive`, `arriving`) and undoubles a final consonant (`ship`, `shipped`). */
function withoutEnding(word: string): string {
  const base = word.length > 3 && /[ey]$/.test(word) ? word.slice(0, -1) : word;
  return base.length > 3 && /([^aeiou])\1$/.test(base) ? base.slice(0, -1) : base;
}
