import { type Token, tokenize } from "#analytics";
import type { Lexicon, Phrase } from "../lexicon/meaning.ts";
import { columnLabel, verbOf } from "../lexicon/names.ts";
import type { Read, ReadRef } from "./constituent.ts";
import { inDirection, isAfterOf } from "./directions.ts";
import { isFunctionWord, isStopWord, keywordAt } from "./keywords.ts";
import { correctSpelling } from "./spelling.ts";

/** A name of the data: the longest phrase of the lexicon here, unless its words mean something else where they stand. */
export function readReference(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const first = tokens[at];
  if (!first || first.kind === "quoted") return undefined;
  const phrases =
    lexicon.get(first.stem) ?? lexicon.get(verbOf(first.stem)) ?? lexicon.get(`${verbOf(first.stem)}e`) ?? [];
  const phrase = phrases.find(
    (one) =>
      one.stems.every((stem, offset) => {
        const token = tokens[at + offset];
        return token !== undefined && (token.stem === stem || (offset === 0 && isVerbOf(token.stem, stem)));
      }) && !isMeanOfMany(one, tokens[at + one.stems.length - 1], lexicon),
  );
  if (!phrase || endsInBound(tokens, at + phrase.stems.length) || isLittleWord(tokens, at, phrase)) return undefined;
  const words = tokens.slice(at, at + phrase.stems.length);
  return {
    constituent: {
      kind: "ref",
      text: words.map(({ text }) => text).join(" "),
      meanings: inDirection(tokens, at, phrase.meanings),
      plural: words.at(-1)?.text.toLowerCase() !== words.at(-1)?.stem,
      ...(isAfterOf(tokens, at) && { of: true }),
      ...(phrase.isPart && { part: true }),
    },
    length: phrase.stems.length,
  };
}

/** Reads names of the data among these tokens. */
export function refsOf(tokens: readonly Token[], lexicon: Lexicon): ReadRef {
  return (at) => {
    const read = readReference(tokens, at, lexicon);
    return read?.constituent?.kind === "ref" ? { ref: read.constituent, length: read.length } : undefined;
  };
}

/** A name of the data that is misspelled. */
export function readMisspelledName(token: Token | undefined, lexicon: Lexicon): Read | undefined {
  if (token?.kind !== "word" || isStopWord(token.stem)) return undefined;
  const found = correctSpelling(token.stem, lexicon);
  if (!found) return undefined;
  const { stems, meanings } = found;
  const plural = token.text.toLowerCase() !== token.stem;
  return { constituent: { kind: "ref", text: token.text, meanings, plural, guessed: stems.join(" ") }, length: 1 };
}

/** "ordered" of order, "purchased" of purchase. */
function isVerbOf(word: string, name: string): boolean {
  const base = verbOf(word);
  return base === name || (base !== word && `${base}e` === name);
}

/** "average orders per day" is the mean of a count, not the measure "average order". */
function isMeanOfMany({ stems, meanings }: Phrase, last: Token | undefined, lexicon: Lexicon): boolean {
  if (stems.length < 2 || stems[0] !== "average" || last?.text.toLowerCase() === last?.stem) return false;
  const named = lexicon.get(last?.stem ?? "")?.find((one) => one.stems.length === 1);
  return (
    meanings.every(({ kind }) => kind === "measure") && (named?.meanings.some(({ kind }) => kind === "table") ?? false)
  );
}

/** "ordered at least 10": the "at" belongs to the bound, not to the name. */
function endsInBound(tokens: readonly Token[], end: number): boolean {
  return tokens[end - 1]?.stem === "at" && ["least", "most"].includes(tokens[end]?.stem ?? "");
}

/**
 * "a balance" has no value A, "price < 18" no value "<18": such a value must be written as it is stored, follow its column, or stand where the
 * word has no object ("quantity moved in by month").
 */
function isLittleWord(tokens: readonly Token[], at: number, { stems, meanings }: Phrase): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  const isWord =
    token?.kind === "symbol" || (stems.length === 1 && (isFunctionWord(token?.stem ?? "") || isAggregate(token)));
  if (!token || !isWord) return isOutOf(tokens, at);
  if (isWithoutObject(tokens, at)) return false;
  return meanings.every((meaning) => {
    if (meaning.kind !== "value") return false;
    const column = tokenize(columnLabel(meaning.table, meaning.column)).at(-1);
    const named = before !== undefined && before.stem === column?.stem;
    const asStored = at > 0 && token.text === meaning.value && /\p{Lu}/u.test(token.text);
    return !named && !asStored;
  });
}

const PREPOSITIONS = /^(in|on|off|over)$/;

function isWithoutObject(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return at > 0 && PREPOSITIONS.test(tokens[at]?.stem ?? "") && (!next || /^(by|per|and)$/.test(next.stem));
}

/** "out of stock" is no movement out. */
function isOutOf(tokens: readonly Token[], at: number): boolean {
  return /^(up|out)$/.test(tokens[at]?.stem ?? "") && tokens[at + 1]?.stem === "of";
}

/** "total sales" adds up, even where a row of sums is called Total. */
export function isAggregate(token: Token | undefined): boolean {
  return token !== undefined && keywordAt([token.stem])?.constituent.kind === "aggregate";
}
