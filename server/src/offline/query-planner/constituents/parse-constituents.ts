import { type SemanticModel, type Token, tokenize } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import { isFlag, isKey, isNumeric, isTemporal, type Lexicon, type Meaning, type Phrase } from "../lexicon/meaning.ts";
import { columnLabel, verbOf } from "../lexicon/names.ts";
import { isUnit } from "../lexicon/units.ts";
import { impossibleDate } from "../time/impossible-date.ts";
import { parsePeriod } from "../time/parse-period.ts";
import { equalityAt, openComparison, readComparison } from "./comparisons.ts";
import type { Constituent, ReadRef } from "./constituent.ts";
import { inDirection, isAfterOf } from "./directions.ts";
import { isFiller, isFunctionWord, isStopWord, keywordAt } from "./keywords.ts";
import { readDaysOfWeek, readMoving } from "./read-calendar.ts";
import { readCompared } from "./read-compared.ts";
import { elapsedInUnit, elapsedUnit, eventAt, readElapsed } from "./read-elapsed.ts";
import { readPercentile } from "./read-percentile.ts";
import { readProduct } from "./read-product.ts";
import { rephrase } from "./rephrase.ts";
import { correctSpelling } from "./spelling.ts";

interface Read {
  readonly constituent: Constituent | undefined;
  readonly length: number;
}

/**
 * Parses tokens from left to right. At each position the longest match wins; of equal length a name of the data wins over a
 * keyword, so that a column called "share" is a column.
 */
export function parseConstituents(asked: readonly Token[], model: SemanticModel, now: Date): readonly Constituent[] {
  const tokens = rephrase(asked, model, now);
  let constituents: readonly Constituent[] = [];
  for (let at = 0; at < tokens.length; ) {
    const unit = tokens[at]?.stem === "in" ? elapsedUnit(tokens[at + 1]) : undefined;
    const inUnit = unit && elapsedInUnit(constituents, unit);
    const { constituent, length } = inUnit
      ? { constituent: undefined, length: 2 }
      : readAt(tokens, at, model, now, constituents);
    constituents = [...(inUnit ?? constituents), ...(constituent ? [constituent] : [])];
    at += length;
  }
  return constituents;
}

/** Why a question asks for something that there is not; undefined where it does not. */
export function impossibleIn(question: string, model: SemanticModel, now: Date): string | undefined {
  const found = parseConstituents(tokenize(question), model, now).find(({ kind }) => kind === "impossible");
  return found?.kind === "impossible" ? found.why : undefined;
}

/** Whether the last reference is to a column of dates, or the last word a unit of the calendar. */
function isAboutTime(constituents: readonly Constituent[]): boolean {
  const last = constituents.findLast(({ kind }) => kind === "ref" || kind === "unit");
  if (last?.kind !== "ref") return last !== undefined;
  return last.meanings.some((meaning) => meaning.kind === "column" && isTemporal(meaning.column));
}

function readAt(
  tokens: readonly Token[],
  at: number,
  model: SemanticModel,
  now: Date,
  before: readonly Constituent[],
): Read {
  const lexicon = lexiconOf(model);
  const isTimed = isAboutTime(before);
  const last = before.at(-1);
  if (last?.kind === "not" && last.prefix) return readDenied(tokens, at, model);
  const readings = [
    isAggregateOfNext(tokens, at, lexicon) ? undefined : readReference(tokens, at, lexicon),
    readElapsed(tokens, at, model),
    readProduct(tokens, at, model, refsOf(tokens, lexicon)),
    readColumnsCompared(tokens, at, model),
    readImpossible(tokens, at, lexicon),
    isTimed || !isSignBeforeYear(tokens, at) ? readTimes(tokens, at, now) : undefined,
    readSorting(tokens, at, lexicon),
    readOpenTime(tokens, at, now),
    readMeasured(tokens, at, lexicon),
    readDaysOfWeek(tokens, at),
    readMoving(tokens, at),
    readPercentile(tokens, at),
    readEquality(tokens, at, lexicon),
    readTop(tokens, at),
    readLatest(tokens, at),
    isColumnNamedAsKeyword(tokens, at, lexicon) ? undefined : readKeyword(tokens, at, splitsOrRanks(last)),
  ].filter((parse): parse is Read => parse !== undefined);
  const [best] = readings.toSorted((left, right) => right.length - left.length);
  return (
    best ??
    readSymbol(tokens, at) ??
    readOpenComparison(tokens, at) ??
    readMisspelledName(tokens[at], lexicon) ??
    readRest(tokens[at], last)
  );
}

/** "freight above cost" of each row; "total freight above total cost" is of all of them. */
function readColumnsCompared(tokens: readonly Token[], at: number, model: SemanticModel): Read | undefined {
  if (isAggregate(tokens[at]) || isAggregate(tokens[at - 1])) return undefined;
  return readCompared(tokens, at, model, refsOf(tokens, lexiconOf(model)));
}

function refsOf(tokens: readonly Token[], lexicon: Lexicon): ReadRef {
  return (at) => {
    const read = readReference(tokens, at, lexicon);
    return read?.constituent?.kind === "ref" ? { ref: read.constituent, length: read.length } : undefined;
  };
}

/** "unpaid": a time or a flag of rows, where the word is one; a state only where it is neither. */
function readDenied(tokens: readonly Token[], at: number, model: SemanticModel): Read {
  const read = readReference(tokens, at, lexiconOf(model));
  const meanings = read?.constituent?.kind === "ref" ? read.constituent.meanings : [];
  const events = eventAt(tokens, at, model)?.refs.map((ref): Meaning => ({ kind: "column", ...ref })) ?? [];
  const sure = [...meanings.filter((one) => one.kind === "column" && isFlag(one.column)), ...events];
  const denied = sure.length > 0 ? sure : meanings.filter(({ kind }) => kind === "value");
  const text = tokens[at]?.text ?? "";
  if (denied.length === 0) return { constituent: { kind: "unknown", text }, length: 1 };
  return { constituent: { kind: "ref", text, meanings: denied, plural: false }, length: 1 };
}

/** "over 25 kg": the unit behind a bound says which number is bounded, unless the data has a name for it. */
function readMeasured(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const read = readComparison(tokens, at);
  if (read?.constituent.kind !== "compare" && read?.constituent.kind !== "between") return read;
  const unit = tokens[at + read.length]?.text ?? "";
  if (!isUnit(unit) || readReference(tokens, at + read.length, lexicon)) return read;
  return { constituent: { ...read.constituent, unit }, length: read.length + 1 };
}

/** "> 2000": a year behind a column of dates, a number behind any other. */
function isSignBeforeYear(tokens: readonly Token[], at: number): boolean {
  const [sign, number, next] = tokens.slice(at, at + 3);
  return sign?.kind === "symbol" && number?.kind === "number" && !next?.joined;
}

/** A date that does not exist, unless the data has a name for its words: "week 54" of a column called week. */
function readImpossible(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const found = impossibleDate(tokens, at);
  if (!found || readReference(tokens, at, lexicon)) return undefined;
  return {
    constituent: { kind: "impossible", why: `There is no ${found.text} in the calendar.` },
    length: found.length,
  };
}

/** "= Delivered", "!= 'Red'", "not equal to Trade": before a value, and not before a number. */
function readEquality(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const equality = equalityAt(tokens, at);
  if (!equality) return undefined;
  const { negated, length } = equality;
  const named = readReference(tokens, at + length, lexicon)?.constituent;
  const isValue = named?.kind === "ref" && named.meanings.some(({ kind }) => kind === "value");
  if (!isValue && tokens[at + length]?.kind !== "quoted") return undefined;
  return { constituent: { kind: "equality", negated }, length };
}

const OPENS = new Set(["until", "till", "through", "from"]);
const CLOSES = new Set(["to", "until", "till", "through"]);

/** "until yesterday", "from May 2025 to now": an end of time that is none of the calendar is unknown, not ignored. */
function readOpenTime(tokens: readonly Token[], at: number, now: Date): Read | undefined {
  const word = tokens[at];
  if (!word || !OPENS.has(word.stem) || parsePeriod(tokens, at, now)) return undefined;
  const first = parsePeriod(tokens, at + 1, now);
  if (!first) return undefined;
  const next = at + 1 + first.length;
  const closes = CLOSES.has(tokens[next]?.stem ?? "");
  if ((word.stem === "from" && !closes) || impossibleDate(tokens, next + 1)) return undefined;
  const end = closes ? next + 1 + (parsePeriod(tokens, next + 1, now)?.length ?? 1) : next;
  const text = tokens.slice(at, end).map((token) => token.text);
  return { constituent: { kind: "unknown", text: text.join(" ") }, length: text.length };
}

/** "sorted by name": rows have the order of the rules, and no column more. */
function readSorting(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
  const [word, by] = [tokens[at], tokens[at + 1]];
  if (!word || !by || !/^sort(ed)?$/.test(word.stem) || by.stem !== "by") return undefined;
  const named = readReference(tokens, at + 2, lexicon);
  if (named?.constituent?.kind !== "ref" || !named.constituent.meanings.every(isText)) return undefined;
  return {
    constituent: { kind: "unknown", text: `${word.text} by ${named.constituent.text}` },
    length: 2 + named.length,
  };
}

function isText(meaning: Meaning): boolean {
  return meaning.kind === "column" && !isNumeric(meaning.column);
}

/** A sign before anything else than a number or value is unknown, not ignored. */
function readSymbol(tokens: readonly Token[], at: number): Read | undefined {
  const [sign, next] = [tokens[at], tokens[at + 1]];
  if (sign?.kind !== "symbol") return undefined;
  const text = [sign.stem, ...(next ? [next.text] : [])].join(" ");
  return { constituent: { kind: "unknown", text }, length: 1 };
}

/** "total freight" adds up the freight, even beside a column that is called total. */
function isAggregateOfNext(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  const word = tokens[at];
  if (word?.kind !== "word" || keywordAt([word.stem])?.constituent.kind !== "aggregate") return false;
  const longest = readReference(tokens, at, lexicon);
  const next = readReference(tokens, at + 1, lexicon)?.constituent;
  if (longest?.length !== 1 || next?.kind !== "ref") return false;
  return next.meanings.some(
    (meaning) => meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column),
  );
}

/** "total count of accountants", where a column is called count: the "of" behind it makes no keyword of it. */
function isColumnNamedAsKeyword(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  const word = tokens[at]?.stem ?? "";
  if (word !== "count" && word !== "volume") return false;
  const phrases = lexicon.get(word) ?? [];
  return phrases.some(({ stems, meanings }) => stems.length === 1 && meanings.some(({ kind }) => kind === "column"));
}

/** "more than their price": a comparison without a number is unknown, not ignored. */
function readOpenComparison(tokens: readonly Token[], at: number): Read | undefined {
  const length = openComparison(tokens, at);
  if (length === 0 || keywordAt(tokens.slice(at + 1, at + 7).map(({ stem }) => stem))) return undefined;
  const text = tokens.slice(at, at + length).map((token) => token.text);
  return { constituent: { kind: "unknown", text: text.join(" ") }, length };
}

function readMisspelledName(token: Token | undefined, lexicon: Lexicon): Read | undefined {
  if (token?.kind !== "word" || isStopWord(token.stem)) return undefined;
  const found = correctSpelling(token.stem, lexicon);
  if (!found) return undefined;
  const { stems, meanings } = found;
  const plural = token.text.toLowerCase() !== token.stem;
  return { constituent: { kind: "ref", text: token.text, meanings, plural, guessed: stems.join(" ") }, length: 1 };
}

function readTimes(tokens: readonly Token[], at: number, now: Date): Read | undefined {
  const found = parsePeriod(tokens, at, now);
  return found && { constituent: { kind: "period", period: found.period }, length: found.length };
}

function splitsOrRanks(before: Constituent | undefined): boolean {
  return before?.kind === "group" || before?.kind === "which" || before?.kind === "top" || before?.kind === "versus";
}

/** A keyword phrase; a unit of the calendar records whether it is in plural. */
function readKeyword(tokens: readonly Token[], at: number, isSplit: boolean): Read | undefined {
  const spoken = keywordAt(tokens.slice(at, at + 6).map(({ stem }) => stem));
  if (spoken?.constituent.kind === "amount")
    return { constituent: { kind: "amount", text: tokens[at]?.text ?? "" }, length: spoken.length };
  // "customers with no more than 2 orders" denies nothing.
  if (spoken?.constituent.kind === "not" && spoken.length > 1 && readComparison(tokens, at + spoken.length - 1))
    return undefined;
  // "outage hours" pass, "by hours" are those of the day.
  if (
    spoken?.constituent.kind === "part" &&
    tokens[at]?.text.toLowerCase() === "hours" &&
    spoken.length === 1 &&
    !isSplit
  )
    return { constituent: { kind: "unknown", text: "hours" }, length: 1 };
  if (spoken?.constituent.kind !== "unit") return spoken;
  const plural = tokens[at]?.text.toLowerCase().endsWith("s") ?? false;
  return { constituent: { ...spoken.constituent, plural }, length: spoken.length };
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
  return { constituent: { kind: "latest", count: Number(after ?? before) }, length };
}

/** "top 5", "5 best", "first 10", and plain "top". */
function readTop(tokens: readonly Token[], at: number): Read | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (!first || !second) return undefined;
  const count = first.kind === "number" ? first.value : second.kind === "number" ? second.value : undefined;
  if (count === undefined || count < 1 || count > 1000) return undefined;
  const word = first.kind === "number" ? second.stem : first.stem;
  // The "first 10 days" are the earliest, and nothing says that they are the best.
  const unit = tokens[at + 2];
  if (word === "first" && unit && UNIT.test(unit.stem))
    return { constituent: { kind: "unknown", text: `${first.text} ${second.text} ${unit.text}` }, length: 3 };
  const spoken = word === "first" ? { constituent: { kind: "top", direction: "most" } as const } : keywordAt([word]);
  if (spoken?.constituent.kind !== "top") return undefined;
  const part = tokens.slice(at, unit?.stem === "percent" ? at + 3 : at + 2).map(({ text }) => text);
  if (part.length === 3 || part.some((text) => text.endsWith("%")))
    return { constituent: { kind: "unknown", text: part.join(" ") }, length: part.length };
  return { constituent: { ...spoken.constituent, count }, length: 2 };
}

function readReference(tokens: readonly Token[], at: number, lexicon: Lexicon): Read | undefined {
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
function isAggregate(token: Token | undefined): boolean {
  return token !== undefined && keywordAt([token.stem])?.constituent.kind === "aggregate";
}

/** "by name" is a split, even where nothing is called a name; "without data" denies the rows, and not what follows. */
function readRest(token: Token | undefined, before: Constituent | undefined): Read {
  if (!token) return { constituent: undefined, length: 1 };
  if (token.kind === "quoted") return { constituent: { kind: "quoted", text: token.text }, length: 1 };
  if (token.kind === "number" && token.value === undefined)
    return {
      constituent: { kind: "impossible", why: `“${token.text}” has more digits than I can compare.` },
      length: 1,
    };
  // "1,5" and "14/03/2025" are no two numbers.
  if (token.joined) return { constituent: { kind: "unknown", text: token.text }, length: 1 };
  if (token.kind === "number")
    return { constituent: { kind: "number", value: token.value ?? 0, text: token.text }, length: 1 };
  const isMeant =
    (before?.kind === "group" && token.stem === "name") || (before?.kind === "not" && isFiller(token.stem));
  const isLeftOut = isStopWord(token.stem) && !isMeant;
  return { constituent: isLeftOut ? undefined : { kind: "unknown", text: token.text }, length: 1 };
}
