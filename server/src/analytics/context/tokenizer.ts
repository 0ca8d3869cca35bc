import { definedFields } from "#base";
/** A word, number, quoted text or sign of comparison of a question. */
export interface Token {
  readonly kind: "word" | "number" | "quoted" | "symbol";
  /** As written, without quotes. */
  readonly text: string;
  /** The form that words are compared by: lower case, no diacritics, singular. Of symbols: `>`, `>=`, `<`, `<=`, `=`, `<>`, `~` or `+`. */
  readonly stem: string;
  /** Of numbers: the value, thousands and percent read; absent where a number has more digits than are exact. */
  readonly value?: number;
  /** Of numbers: the sign between it and the number before, as in "10-20" and "2026-03-14". */
  readonly joined?: "-" | "/" | ",";
}

/** A quoted text; a number with its sign and scale; a word; a sign of comparison, "+" only as in "20+", ">" not as in "->". */
const PIECE = new RegExp(
  [
    `"([^"]+)"|“([^“”]+)”|(?<![\\p{L}\\p{N}])'([^']+)'`,
    "((?<=^|[\\s(:,=<>≥≤≠])(?<!\\d\\s*)[-−][$£€]?)?(\\d+(?:(?:,\\d{2,3})*,\\d{3}(?!\\d))?(?:\\.\\d+)?)(?:(k|m|bn|%)|\\s+(thousand|million|billion))?(?![\\p{L}\\p{N}])",
    "[\\p{L}\\p{N}]+(?:['’]s\\b)?",
    "(>=|=>|≥|<=|=<|≤|<>|!=|≠|==?|(?<!-)>|<|[~≈]|(?<=\\d[km%]?)\\+(?!\\s*\\d))",
  ].join("|"),
  "giu",
);
const EXPONENTS: Readonly<Record<string, number>> = {
  ...{ k: 3, m: 6, bn: 9, thousand: 3, million: 6, billion: 9 },
};
const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ "=>": ">=", "≥": ">=", "=<": "<=", "≤": "<=", "!=": "<>", "≠": "<>", "==": "=", "≈": "~" },
};
/** Digits that a number keeps exactly. */
const EXACT_DIGITS = 15;
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...{ zero: 0, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, fifty: 50, hundred: 100, thousand: 1000, dozen: 12 },
};

/** Cuts a text into tokens; names of tables and columns are cut the same way, so that they can be compared. */
export function tokenize(text: string): readonly Token[] {
  const whole = spaced(text);
  let [before, end] = ["", 0];
  return [...whole.matchAll(PIECE)].map((match): Token => {
    const [written] = match;
    const joined = /\d/.test(before) ? jointOf(whole.slice(end, match.index)) : undefined;
    [before, end] = [written, match.index + written.length];
    const token = tokenOf(match);
    return token.kind === "number" && joined ? { ...token, joined } : token;
  });
}

function tokenOf([written, double, curly, single, sign, digits, letter, scale, symbol]: RegExpExecArray): Token {
  const quoted = double ?? curly ?? single;
  if (quoted !== undefined) return { kind: "quoted", text: quoted, stem: "" };
  if (digits !== undefined) return numberToken(written, sign, digits, letter ?? scale);
  if (symbol !== undefined) return { kind: "symbol", text: symbol, stem: SYMBOLS[symbol] ?? symbol };
  return wordToken(written.replace(/['’]s$/, ""));
}

function jointOf(between: string): Token["joined"] {
  if (/^\s*[-−–—]\s*[$£€]?$/.test(between)) return "-";
  return between === "/" || between === "," ? between : undefined;
}

function numberToken(text: string, sign: string | undefined, digits: string, scale: string | undefined): Token {
  const plain = `${sign === undefined ? "" : "-"}${digits.replaceAll(",", "")}`;
  const value = Number(`${plain}e${EXPONENTS[scale?.toLowerCase() ?? ""] ?? 0}`);
  const stem = sign === undefined ? digits : `-${digits}`;
  return { kind: "number", text, stem, ...(isExact(value, plain) && { value }) };
}

function isExact(value: number, digits: string): boolean {
  if (Number.isSafeInteger(value)) return true;
  const significant = digits.replace(/\D/g, "").replace(/^0+|0+$/g, "");
  return significant.length <= EXACT_DIGITS && !String(value).includes("e");
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
