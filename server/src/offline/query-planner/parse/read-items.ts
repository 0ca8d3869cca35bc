import { type Token, tokenize } from "#analytics";
import type { Lexicon, Phrase } from "../lexicon/meaning.ts";
import { spokenName } from "../lexicon/table-words.ts";
import { readPeriod } from "../time/read-period.ts";
import { verbOf } from "../words/verb-of.ts";
import { openComparison, readComparison } from "./comparisons.ts";
import type { Item } from "./item.ts";
import { nearestName } from "./misspelled.ts";
import { isSilent, spokenAt } from "./phrases.ts";

interface Read {
  readonly item: Item | undefined;
  readonly length: number;
}

/**
 * Reads a question from left to right. At each place the longest reading wins; of equal length the data's own words go before
 * turns of speech, so that a column called "share" is a column.
 */
export function readItems(tokens: readonly Token[], lexicon: Lexicon, now: Date): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { item, length } = readAt(tokens, at, lexicon, now);
    if (item) items.push(item);
    at += length;
  }
  return items;
}

function readAt(tokens: readonly Token[], at: number, lexicon: Lexicon, now: Date): Read {
  const readings = [
    readReference(tokens, at, lexicon),
    readTimes(tokens, at, now),
    readComparison(tokens, at),
    readTop(tokens, at),
    readLatest(tokens, at),
    readSpoken(tokens, at),
  ].filter((reading): reading is Read => reading !== undefined);
  const [best] = readings.toSorted((left, right) => right.length - left.length);
  return best ?? readOpenComparison(tokens, at) ?? readMisspelled(tokens[at], lexicon) ?? readRest(tokens[at]);
}

/** "more than their price": a comparison with no number that could be read is not passed over. */
function readOpenComparison(tokens: readonly Token[], at: number): Read | undefined {
  const length = openComparison(tokens, at);
  if (length === 0 || spokenAt(tokens.slice(at + 1, at + 7).map(({ stem }) => stem))) return undefined;
  const text = tokens.slice(at, at + length).map((token) => token.text);
  return { item: { kind: "unknown", text: text.join(" ") }, length };
}

function readMisspelled(token: Token | undefined, lexicon: Lexicon): Read | undefined {
  if (token?.kind !== "word" || isSilent(token.stem)) return undefined;
  const found = nearestName(token.stem, lexicon);
  if (!found) return undefined;
  const { stems, meanings } = found;
  const plural = token.text.toLowerCase() !== token.stem;
  return { item: { kind: "ref", text: token.text, meanings, plural, guessed: stems.join(" ") }, length: 1 };
}

function readTimes(tokens: readonly Token[], at: number, now: Date): Read | undefined {
  const found = readPeriod(tokens, at, now);
  return found && { item: { kind: "period", period: found.period }, length: found.length };
}

/** A turn of speech; a unit of the calendar keeps whether several are asked for. */
function readSpoken(tokens: readonly Token[], at: number): Read | undefined {
  const spoken = spokenAt(tokens.slice(at, at + 6).map(({ stem }) => stem));
  if (spoken?.item.kind !== "unit") return spoken;
  const plural = tokens[at]?.text.toLowerCase().endsWith("s") ?? false;
  return { item: { ...spoken.item, plural }, length: spoken.length };
}

const UNIT = /^(minute|hour|day|week|month|quarter|year)$/;
const NEWEST = /^(?:(?:last|latest|newest|most recent) (\d+)|(\d+) (?:latest|newest|most recent))(?: |$)/;

/** "last 5 orders", "10 most recent orders"; "last 5 months" is a time. */
function readLatest(tokens: readonly Token[], at: number): Read | undefined {
  const words = tokens
    .slice(at, at + 4)
    .map(({ stem, value }) => (value === undefined ? stem : String(value)))
    .join(" ");
  const [found = "", after, before] = NEWEST.exec(words) ?? [];
  const length = found.trim().split(" ").length;
  if (found === "" || UNIT.test(tokens[at + length]?.stem ?? "")) return undefined;
  return { item: { kind: "latest", count: Number(after ?? before) }, length };
}

/** "top 5", "5 best", "first 10", and plain "top". */
function readTop(tokens: readonly Token[], at: number): Read | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (!first || !second) return undefined;
  const count = first.kind === "number" ? first.value : second.kind === "number" ? second.value : undefined;
  if (count === undefined || count > 1000) return undefined;
  const word = first.kind === "number" ? second.stem : first.stem;
  const spoken = word === "first" ? { item: { kind: "top", direction: "most" } as const } : spokenAt([word]);
  if (spoken?.item.kind !== "top") return undefined;
  return { item: { ...spoken.item, count }, length: 2 };
}

/** "of the store": little words between say nothing. */
function standsAfterOf(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.stem;
  return before === "of" || (["the", "a", "our", "their"].includes(before ?? "") && tokens[at - 2]?.stem === "of");
}

function readReference(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const first = tokens[at];
  if (!first || first.kind === "quoted") return undefined;
  const phrases = lexicon.get(first.stem) ?? lexicon.get(verbOf(first.stem)) ?? [];
  const phrase = phrases.find(
    (one) =>
      one.stems.every((stem, offset) => {
        const token = tokens[at + offset];
        return token !== undefined && (token.stem === stem || (offset === 0 && verbOf(token.stem) === stem));
      }) && !isMeanOfMany(one, tokens[at + one.stems.length - 1], lexicon),
  );
  if (!phrase || endsInBound(tokens, at + phrase.stems.length) || isLittleWord(tokens, at, phrase)) return undefined;
  const words = tokens.slice(at, at + phrase.stems.length);
  return {
    item: {
      kind: "ref",
      text: words.map(({ text }) => text).join(" "),
      meanings: phrase.meanings,
      plural: words.at(-1)?.text.toLowerCase() !== words.at(-1)?.stem,
      ...(standsAfterOf(tokens, at) && { of: true }),
    },
    length: phrase.stems.length,
  };
}

/** "average orders per day" is a mean of how many orders, and no "average order". */
function isMeanOfMany({ stems, meanings }: Phrase, last: Token | undefined, lexicon: Lexicon): boolean {
  if (stems.length < 2 || stems[0] !== "average" || last?.text.toLowerCase() === last?.stem) return false;
  const named = lexicon.get(last?.stem ?? "")?.find((one) => one.stems.length === 1);
  return (
    meanings.every(({ kind }) => kind === "measure") && (named?.meanings.some(({ kind }) => kind === "table") ?? false)
  );
}

/** "ordered at least 10": the "at" of a name is that of the bound. */
function endsInBound(tokens: readonly Token[], end: number): boolean {
  return tokens[end - 1]?.stem === "at" && ["least", "most"].includes(tokens[end]?.stem ?? "");
}

/** "a balance" is no row whose flag is A: a value that is also a little word is written as it is stored, or follows its column. */
function isLittleWord(tokens: readonly Token[], at: number, { stems, meanings }: Phrase): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (!token || stems.length > 1 || !isSilent(token.stem)) return false;
  return meanings.every((meaning) => {
    if (meaning.kind !== "value") return false;
    const column = tokenize(spokenName(meaning.table, meaning.column)).at(-1);
    const named = before !== undefined && before.stem === column?.stem;
    const asStored = at > 0 && token.text === meaning.value && /\p{Lu}/u.test(token.text);
    return !named && !asStored;
  });
}

function readRest(token: Token | undefined): Read {
  if (!token) return { item: undefined, length: 1 };
  if (token.kind === "quoted") return { item: { kind: "quoted", text: token.text }, length: 1 };
  if (token.kind === "number")
    return { item: { kind: "number", value: token.value ?? 0, text: token.text }, length: 1 };
  return { item: isSilent(token.stem) ? undefined : { kind: "unknown", text: token.text }, length: 1 };
}
