import { definedFields } from "#base";
/** A word, number or quoted text of a question. */
export interface Token {
  readonly kind: "word" | "number" | "quoted";
  /** As written, without quotes. */
  readonly text: string;
  /** The form that words are compared by: lower case, no diacritics, singular. */
  readonly stem: string;
  /** Of numbers: the value, thousands and percent read. */
  readonly value?: number;
}

const PIECE =
  /"([^"]+)"|“([^”]+)”|(?<![\p{L}\p{N}])'([^']+)'|(\d[\d,]*(?:\.\d+)?)(?:(k|m|bn|%)|\s+(thousand|million|billion))?(?![\p{L}\p{N}])|[\p{L}\p{N}]+(?:['’]s\b)?/giu;
const SCALES: Readonly<Record<string, number>> = {
  ...{ k: 1e3, m: 1e6, bn: 1e9, "%": 1 },
  ...{ thousand: 1e3, million: 1e6, billion: 1e9 },
};
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...{ zero: 0, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, fifty: 50, hundred: 100, thousand: 1000, dozen: 12 },
};

/** Cuts a text into tokens; names of tables and columns are cut the same way, so that they can be compared. */
export function tokenize(text: string): readonly Token[] {
  return [...spaced(text).matchAll(PIECE)].map((match) => {
    const quoted = match[1] ?? match[2] ?? match[3];
    if (quoted !== undefined) return { kind: "quoted", text: quoted, stem: "" };
    if (match[4] !== undefined) return numberToken(match[0], match[4], match[5] ?? match[6]);
    return wordToken(match[0].replace(/['’]s$/, ""));
  });
}

function numberToken(text: string, digits: string, scale: string | undefined): Token {
  const value = Number(digits.replaceAll(",", "")) * (SCALES[scale?.toLowerCase() ?? ""] ?? 1);
  return { kind: "number", text, stem: digits, value };
}

function wordToken(text: string): Token {
  const value = NUMBER_WORDS[text.toLowerCase()];
  return {
    kind: value === undefined ? "word" : "number",
    text,
    stem: stem(text),
    ...definedFields({ value }),
  };
}

/** Splits snake case and camel case, but not a number from the word before it. */
function spaced(text: string): string {
  return text.replace(/_+/g, " ").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ people: "person", men: "man", women: "woman", children: "child", sales: "sale", series: "series" },
  ...{ status: "status", revenues: "revenue", statuses: "status", news: "news", this: "this", is: "is", has: "has" },
};

/** A word as it is compared: lower case, without diacritics, singular. English; other languages keep their letters. */
export function stem(word: string): string {
  const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const irregular = IRREGULAR[plain];
  if (irregular) return irregular;
  if (plain.length > 4 && plain.endsWith("ies")) return `${plain.slice(0, -3)}y`;
  // "movie" and "movies": the plural of a word in -y looks the same, so that both get its stem.
  if (plain.length > 4 && plain.endsWith("ie")) return `${plain.slice(0, -2)}y`;
  if (plain.length > 4 && /(ch|sh|ss|x|zz)es$/.test(plain)) return plain.slice(0, -2);
  if (plain.length > 3 && /[^sui]s$/.test(plain)) return plain.slice(0, -1);
  return plain;
}
