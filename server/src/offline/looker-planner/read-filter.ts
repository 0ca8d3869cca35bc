import type { ExploreField } from "#warehouse";
import { type Word, wordsOf } from "./field-words.ts";

/** A filter that a question states, as a Looker filter expression. */
export interface ReadFilter {
  readonly field: ExploreField;
  readonly value: string;
  /** The value as it is told to people. */
  readonly spoken: string;
  /** Words of the question that it took. */
  readonly length: number;
}

const BOUNDARIES = new Set(["by", "per", "and", "for", "where"]);

/**
 * Reads "is X" after a dimension, only where X is certain: a value that the model lists, a text in quotes, a number, yes or no, or
 * one word before the end or the next part of the question.
 */
export function readFilter(words: readonly Word[], field: ExploreField): ReadFilter | undefined {
  const [verb, first, next] = words;
  if (!verb || !first || verb.quoted || !["is", "equal", "="].includes(verb.stem)) return undefined;
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

function yesOrNo(word: Word, field: ExploreField): ReadFilter | undefined {
  const value = { yes: "Yes", no: "No", true: "Yes", false: "No" }[word.stem];
  return value ? { field, value, spoken: value, length: 2 } : undefined;
}

function listedValue(words: readonly Word[], field: ExploreField): ReadFilter | undefined {
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

/** A text as Looker's filters match it whole: signs that mean something there are escaped with a circumflex. */
function escaped(text: string): string {
  return text.replace(/[\^%_",]/g, "^$&").replace(/^-/, "^-");
}
