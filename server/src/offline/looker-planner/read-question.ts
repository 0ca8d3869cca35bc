import type { Explore, ExploreField } from "#warehouse";
import { type FieldPhrase, fieldAt, fieldPhrases, type Word, wordsOf } from "./field-words.ts";
import { type ReadFilter, readFilter } from "./read-filter.ts";

/** A question as it was read over the labels of one explore. */
export interface ReadQuestion {
  readonly explore: Explore;
  readonly measures: readonly ExploreField[];
  readonly dimensions: readonly ExploreField[];
  readonly filters: readonly ReadFilter[];
  /** "top 5": the rows wanted, the largest or the smallest first. */
  readonly top?: { readonly count: number; readonly largest: boolean };
  /** Words that were not understood, as they were written. */
  readonly unknown: readonly string[];
  /** Words that may mean several fields. */
  readonly ambiguous: readonly (readonly ExploreField[])[];
  /** Whether it asks for a number and not for a list. */
  readonly counts: boolean;
}

/** Words that ask for nothing by themselves. */
const SILENT = new Set(
  "a all an and are by did do doe each for get give had has have how i in is list many me much of our per please show tell the there was we were what whats which where with whose us".split(
    " ",
  ),
);
const SUMS = new Set(["sum", "count", "count_distinct"]);
const TOPS: Readonly<Record<string, boolean>> = { top: true, best: true, highest: true, bottom: false, lowest: false };

/** Reads a question over an explore: nothing in it is guessed, what is left over is told. */
export function readQuestion(question: string, explore: Explore): ReadQuestion {
  const words = wordsOf(question);
  const phrases = fieldPhrases(explore);
  const found: Found = { fields: [], filters: [], unknown: [], ambiguous: [] };
  let top: ReadQuestion["top"];
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
    ...(top && { top }),
    unknown: found.unknown.filter((word) => !(sums && /^(total|sum)$/i.test(word))),
    ambiguous: found.ambiguous,
    counts: words.some(({ stem }) => stem === "many" || stem === "much"),
  };
}

interface Found {
  readonly fields: ExploreField[];
  readonly filters: ReadFilter[];
  readonly unknown: string[];
  readonly ambiguous: (readonly ExploreField[])[];
}

function topAt([word, number]: readonly Word[]): ReadQuestion["top"] {
  const largest = word && !word.quoted ? TOPS[word.stem] : undefined;
  const count = Number(number?.written);
  return largest !== undefined && Number.isInteger(count) && count >= 1 && count <= 5000
    ? { count, largest }
    : undefined;
}

/** Words taken by a field, with its filter where it has one; 0 where none is named. */
function readField(words: readonly Word[], phrases: readonly FieldPhrase[], found: Found): number {
  const named = fieldAt(words, phrases);
  if (!named) return 0;
  const [field] = named.fields;
  if (!field || named.fields.length > 1) {
    found.ambiguous.push(named.fields);
    return named.length;
  }
  const filter = readFilter(words.slice(named.length), field);
  if (filter) {
    found.filters.push(filter);
    return named.length + filter.length;
  }
  found.fields.push(field);
  return named.length;
}

function readOther([word]: readonly Word[], found: Found): number {
  if (word && (word.quoted || !SILENT.has(word.stem))) found.unknown.push(word.written);
  return 1;
}
