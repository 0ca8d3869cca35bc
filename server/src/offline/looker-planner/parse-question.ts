import { definedFields } from "#base";
import type { Explore, ExploreField } from "#warehouse";
import { type FieldPhrase, fieldAt, fieldPhrases, type Word, wordsOf } from "./field-lexicon.ts";

/** A question parsed with the labels of one explore. */
export interface ParsedQuestion {
  readonly explore: Explore;
  readonly measures: readonly ExploreField[];
  readonly dimensions: readonly ExploreField[];
  readonly filters: readonly ParsedFilter[];
  /** "top 5": the number of rows, the largest or the smallest first. */
  readonly top?: { readonly count: number; readonly largest: boolean };
  /** Words that were not understood, as written. */
  readonly unknown: readonly string[];
  /** The candidate fields of ambiguous words. */
  readonly ambiguous: readonly (readonly ExploreField[])[];
  /** Whether it asks "how many" or "how much". */
  readonly counts: boolean;
}

/** Stop words. */
const STOP_WORDS = new Set(
  "a all an and are by did do doe each for get give had has have how i in is list many me much of our per please show tell the there was we were what whats which where with whose us".split(
    " ",
  ),
);
const SUMS = new Set(["sum", "count", "count_distinct"]);
const TOPS: Readonly<Record<string, boolean>> = { top: true, best: true, highest: true, bottom: false, lowest: false };

/** Parses a question over an explore. Nothing is guessed; unknown words are reported. */
export function parseQuestion(question: string, explore: Explore): ParsedQuestion {
  const words = wordsOf(question);
  const phrases = fieldPhrases(explore);
  const found: Found = { fields: [], filters: [], unknown: [], ambiguous: [] };
  let top: ParsedQuestion["top"];
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at);
    const wanted = topAt(rest);
    if (wanted && !top) {
      top = wanted;
      at += 2;
    } else at += readField(rest, phrases, found) || readOther(rest, found);
  }
  const fields = [...new Set(found.fields)];
  const measures = fields.filter(({ category }) => category === "MEASURE");
  const sums = measures.length > 0 && measures.every(({ lookerType }) => SUMS.has(lookerType));
  return {
    explore,
    measures,
    dimensions: fields.filter(({ category }) => category === "DIMENSION"),
    filters: found.filters,
    ...definedFields({ top }),
    unknown: found.unknown.filter((word) => !(sums && /^(total|sum)$/i.test(word))),
    ambiguous: found.ambiguous,
    counts: words.some(({ stem }) => stem === "many" || stem === "much"),
  };
}

interface Found {
  readonly fields: ExploreField[];
  readonly filters: ParsedFilter[];
  readonly unknown: string[];
  readonly ambiguous: (readonly ExploreField[])[];
}

function topAt([word, number]: readonly Word[]): ParsedQuestion["top"] {
  const largest = word && !word.quoted ? TOPS[word.stem] : undefined;
  const count = Number(number?.written);
  return largest !== undefined && Number.isInteger(count) && count >= 1 && count <= 5000
    ? { count, largest }
    : undefined;
}

/** The number of words of a field and its filter; 0 where none is named. */
function readField(words: readonly Word[], phrases: readonly FieldPhrase[], found: Found): number {
  const named = fieldAt(words, phrases);
  if (!named) return 0;
  const [field] = named.fields;
  if (!field || named.fields.length > 1) {
    found.ambiguous.push(named.fields);
    return named.length;
  }
  const filter = parseFilter(words.slice(named.length), field);
  if (filter) {
    found.filters.push(filter);
    return named.length + filter.length;
  }
  found.fields.push(field);
  return named.length;
}

function readOther([word]: readonly Word[], found: Found): number {
  if (word && (word.quoted || !STOP_WORDS.has(word.stem))) found.unknown.push(word.written);
  return 1;
}

/** A filter in a question, as a Looker filter expression. */
export interface ParsedFilter {
  readonly field: ExploreField;
  readonly value: string;
  /** The value for people. */
  readonly spoken: string;
  /** The number of its words. */
  readonly length: number;
}

const BOUNDARIES = new Set(["by", "per", "and", "for", "where"]);

/**
 * Parses "is X" after a dimension, only where X is certain: a value that the model lists, a quoted text, a number, yes or no, or one
 * word before the end or the next constituent.
 */
function parseFilter(words: readonly Word[], field: ExploreField): ParsedFilter | undefined {
  const [verb, first, next] = words;
  if (!verb || !first || verb.quoted || !["is", "equal", "=", "=="].includes(verb.stem)) return undefined;
  if (field.category !== "DIMENSION" || field.lookerType.startsWith("date")) return undefined;
  if (next && words[2]?.stem === "or") return undefined;
  if (field.lookerType === "yesno") return yesOrNo(first, field);
  if (field.type !== "STRING") {
    const isCertain = /^\d+(\.\d+)?$/.test(first.written) && ends(next);
    return isCertain ? { field, value: first.written, spoken: first.written, length: 2 } : undefined;
  }
  const listed = listedValue(words.slice(1), field);
  if (listed) return listed;
  if (field.values.length > 0 || first.stem === "not" || !(first.quoted || ends(next))) return undefined;
  return { field, value: escaped(first.written), spoken: first.written, length: 2 };
}

function yesOrNo(word: Word, field: ExploreField): ParsedFilter | undefined {
  const value = { yes: "Yes", no: "No", true: "Yes", false: "No" }[word.stem];
  return value ? { field, value, spoken: value, length: 2 } : undefined;
}

function listedValue(words: readonly Word[], field: ExploreField): ParsedFilter | undefined {
  for (const value of field.values) {
    const stems = words[0]?.quoted ? [value.toLowerCase()] : wordsOf(value).map(({ stem }) => stem);
    const isHere = stems.length > 0 && stems.every((stem, at) => sameWord(words[at], stem));
    if (isHere && words[stems.length]?.stem !== "or") {
      return { field, value: escaped(value), spoken: value, length: stems.length + 1 };
    }
  }
  return undefined;
}

function sameWord(word: Word | undefined, stem: string): boolean {
  return word !== undefined && (word.quoted ? word.written.toLowerCase() === stem : word.stem === stem);
}

function ends(word: Word | undefined): boolean {
  return word === undefined || BOUNDARIES.has(word.stem);
}

/** Escapes a text for an exact Looker filter: special characters get a circumflex. */
function escaped(text: string): string {
  return text.replace(/[\^%_",]/g, "^$&").replace(/^-/, "^-");
}
