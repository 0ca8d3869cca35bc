import { type SemanticModel, type Token, tokenize } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import { isFlag, isKey, isNumeric, isTemporal, type Lexicon, type Meaning } from "../lexicon/meaning.ts";
import { isUnit } from "../lexicon/units.ts";
import { impossibleDate } from "../time/impossible-date.ts";
import { parsePeriod } from "../time/parse-period.ts";
import { equalityAt, openComparison, readComparison } from "./comparisons.ts";
import type { Constituent, Read } from "./constituent.ts";
import { isFiller, isStopWord, keywordAt } from "./keywords.ts";
import { readDaysOfWeek, readMoving } from "./read-calendar.ts";
import { readCompared } from "./read-compared.ts";
import { elapsedInUnit, elapsedUnit, eventAt, readElapsed } from "./read-elapsed.ts";
import { readPercentile } from "./read-percentile.ts";
import { readProduct } from "./read-product.ts";
import { readLatest, readTop } from "./read-ranking.ts";
import { isAggregate, readMisspelledName, readReference, refsOf } from "./read-reference.ts";
import { rephrase } from "./rephrase.ts";

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
