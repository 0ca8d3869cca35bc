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

/** Final `e` and `y` come and go with suffixes (`arrive`, `arriving`), and so do doubled consonants (`ship`, `shipped`). */
function withoutEnding(word: string): string {
  const base = word.length > 3 && /[ey]$/.test(word) ? word.slice(0, -1) : word;
  return base.length > 3 && /([^aeiou])\1$/.test(base) ? base.slice(0, -1) : base;
}
