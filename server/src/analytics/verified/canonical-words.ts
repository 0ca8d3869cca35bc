import { tokenize } from "../context/tokenizer.ts";
import type { SemanticModel } from "../contract.ts";
import { spelledNumbers } from "../verification/number-words.ts";

/** Words that a question can do without. */
const EMPTY = new Set(
  "a an the of for to in on at our my your me us i we you it is are was were be been do does did have has had will would could can please show list give tell get display find what which who whose how there that this these those and with as so all".split(
    " ",
  ),
);
/** Words that say the same in a question to data, by one of them. */
const SAME: readonly (readonly string[])[] = [
  ["by", "per", "each", "every"],
  ["top", "best", "highest", "largest", "biggest", "greatest", "most"],
  ["bottom", "worst", "lowest", "smallest", "fewest", "least"],
  ["average", "avg", "mean"],
  ["total", "sum", "overall"],
  ["month", "monthly"],
  ["year", "yearly", "annual", "annually"],
  ["week", "weekly"],
  ["day", "daily"],
];
const CANONICAL: ReadonlyMap<string, string> = new Map(
  SAME.flatMap(([first = "", ...others]) => [first, ...others].map((word) => [word, first] as const)),
);
/** "how many" is a count, "at most" no ranking, "month by month" and "monthly" are by month. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/,(?!\d)/g, " "],
  [/\b(?:how many|number of|count of)\b/gi, " count "],
  [/\b(?:at (?:the )?most|no more than|up to|maximum of)\b/gi, " upperbound "],
  [/\b(?:at (?:the )?least|no (?:less|fewer) than|minimum of)\b/gi, " lowerbound "],
  [/\b(monthly|yearly|annually|weekly|daily)\b/gi, " by $1 "],
  [/\b(month|year|week|day) (?:by|over|on) \1\b/gi, " by $1 "],
];
/** Words and signs whose order counts: "Tea but not Coffee", "price > 20". */
const ORDERED =
  /[<>=≤≥≠]|\b(?:above|below|under|not|no|without|but|except|than|from|before|after|between|minus|versus|vs|compared|or|over|since|until)\b/i;

/** What a text asks, in words that can be compared. */
interface CanonicalWords {
  readonly words: readonly string[];
  /** Whether the same words in another order may ask something else. */
  readonly isOrdered: boolean;
}

/** Words of a text without those that say nothing: stems, numbers in digits, synonyms of the model as one word. */
export function canonicalWords(text: string, model: SemanticModel): CanonicalWords {
  const synonyms = synonymsOf(model);
  const phrased = PHRASES.reduce((rest, [pattern, by]) => rest.replace(pattern, by), withDigits(text));
  const stems = tokenize(phrased)
    .map(({ kind, text: written, stem }) => (kind === "quoted" ? written.toLowerCase() : stem))
    .flatMap((stem) => stem.split(/\s+/));
  const words: string[] = [];
  for (let at = 0; at < stems.length; ) {
    const length = [3, 2, 1].find((count) => synonyms.has(stems.slice(at, at + count).join(" "))) ?? 0;
    const [phrase, stem = ""] = [stems.slice(at, at + length).join(" "), stems[at]];
    const word = length > 0 ? (synonyms.get(phrase) ?? phrase) : (CANONICAL.get(stem) ?? stem);
    if (length > 0 || !EMPTY.has(stem)) words.push(word);
    at += Math.max(1, length);
  }
  return { words, isOrdered: ORDERED.test(text) };
}

/** Whether two texts ask the same, by their words. */
export function areSame(one: CanonicalWords, other: CanonicalWords): boolean {
  if (one.words.length !== other.words.length || one.words.length === 0) return false;
  if (one.isOrdered || other.isOrdered) return one.words.every((word, at) => word === other.words[at]);
  const numbers = ({ words }: CanonicalWords) => words.filter((word) => /^\d/.test(word)).join(" ");
  return numbers(one) === numbers(other) && one.words.toSorted().join(" ") === other.words.toSorted().join(" ");
}

function withDigits(text: string): string {
  return spelledNumbers(text).reduceRight(
    (rest, { at, end, value }) => `${rest.slice(0, at)}${value}${rest.slice(end)}`,
    text,
  );
}

const indexes = new WeakMap<SemanticModel, ReadonlyMap<string, string>>();

/** Names and synonyms of tables, columns and measures, each by one phrase for what it names; those that name several things by themselves. */
function synonymsOf(model: SemanticModel): ReadonlyMap<string, string> {
  const known = indexes.get(model);
  if (known) return known;
  const meanings = new Map<string, Set<string>>();
  const add = (name: string, synonyms: readonly string[]) => {
    const own = stemsOf(name);
    for (const phrase of [own, ...synonyms.map(stemsOf)]) {
      if (phrase === "") continue;
      const named = meanings.get(phrase) ?? new Set();
      meanings.set(phrase, named.add(own));
    }
  };
  for (const { schema, synonyms, columns, measures } of model.tables) {
    add(schema.path.at(-1) ?? "", synonyms);
    for (const column of columns) add(column.name, column.synonyms);
    for (const measure of measures) add(measure.name, measure.synonyms);
  }
  const index = new Map(
    [...meanings].flatMap(([phrase, named]) => (named.size === 1 ? [[phrase, [...named][0] ?? phrase] as const] : [])),
  );
  indexes.set(model, index);
  return index;
}

function stemsOf(name: string): string {
  return tokenize(name)
    .map(({ kind, text, stem }) => (kind === "quoted" ? text.toLowerCase() : stem))
    .join(" ");
}
