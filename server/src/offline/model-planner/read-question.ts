import { type ChartHint, type Token, tokenize } from "#analytics";
import { definedFields } from "#base";
import { keywordAt } from "../query-planner/constituents/keywords.ts";
import { parsePeriod } from "../query-planner/time/parse-period.ts";
import type { Grain, Period } from "../query-planner/time/period.ts";
import type { ModelLexicon, ModelMeaning } from "./lexicon.ts";

/** What a question says in terms of a model. Each word is part of something, without meaning, or unknown. */
export interface ReadQuestion {
  readonly metrics: readonly Mention[];
  /** Dimensions to group by. */
  readonly groupings: readonly Mention[];
  readonly conditions: readonly (Mention & { readonly negated: boolean })[];
  readonly filters: readonly { readonly name: string; readonly negated: boolean }[];
  readonly grain?: Grain;
  readonly period?: Period;
  readonly top?: { readonly count: number; readonly descending: boolean; readonly at: number };
  readonly chart?: ChartHint["mark"];
  /** "and by region": groupings are added to those before. */
  readonly adds: boolean;
  /** Whether rows are asked for, not numbers. */
  readonly listed: boolean;
  readonly unknown: readonly string[];
}

/** Something of the model that is named, with all that the words may mean. */
export interface Mention {
  readonly text: string;
  /** Position of its first word. */
  readonly at: number;
  readonly meanings: readonly ModelMeaning[];
  /** Of metrics: whether people said "number of" or "total" before it. */
  readonly counted?: "count" | "sum";
}

/** Reads from left to right; at each word the longest phrase wins, and a name of the model wins over a keyword. */
export function readQuestion(question: string, lexicon: ModelLexicon, now: Date): ReadQuestion {
  const tokens = tokenize(question);
  const reading: Reading = {
    metrics: [],
    groupings: [],
    conditions: [],
    filters: [],
    labels: [],
    unknown: [],
    adds: false,
    listed: false,
    grouping: false,
  };
  for (let at = 0; at < tokens.length; ) at += readAt(tokens, at, lexicon, now, reading);
  if (reading.negation) reading.unknown.push(reading.negation);
  reading.unknown.push(...(question.match(OPERATORS) ?? []).map((symbol) => symbol.trim()));
  if (reading.awaited) reading.unknown.push(reading.awaited);
  if (reading.counted) reading.unknown.push(reading.counted.text);
  return finished(reading, tokens);
}

/** Arithmetic, which is no word and no token. */
const OPERATORS = /(?<=\s)[-+*/÷×%]+(?=\s)/g;

interface Reading {
  metrics: Mention[];
  groupings: Mention[];
  conditions: (Mention & { negated: boolean })[];
  filters: { name: string; negated: boolean }[];
  /** Dimensions that are neither grouped by nor, so far, beside one of their values. */
  labels: Mention[];
  unknown: string[];
  grain?: Grain;
  period?: Period;
  top?: { count: number; descending: boolean; at: number };
  chart?: ChartHint["mark"];
  adds: boolean;
  listed: boolean;
  /** Whether a dimension that comes now is grouped by. */
  grouping: boolean;
  /** "by", which waits for what is grouped by. */
  awaited?: string | undefined;
  /** A negation that waits for what it negates. */
  negation?: string | undefined;
  /** "number of", "total": waits for a metric that it fits. */
  counted?: { text: string; as: "count" | "sum" } | undefined;
}

/** Words without meaning for a query. */
const STOP = new Set(
  `a an the of in on at for to from is are was were be been do does did have has had we us our my me you i it its show tell give list get find see
   calculate compute display draw plot please can could would will what s much there as value amount figure number each and or if any
   made make make get got come came into during within only just`.split(/\s+/),
);

function readAt(tokens: readonly Token[], at: number, lexicon: ModelLexicon, now: Date, reading: Reading): number {
  const token = tokens[at] as Token;
  const phrase = phraseAt(tokens, at, lexicon);
  // "revenue > 2025" bounds a number: signs of comparison are unknown.
  const period = token.kind === "symbol" ? undefined : parsePeriod(tokens, at, now);
  const keyword = keywordAt(tokens.slice(at, at + 6).map(({ stem }) => stem));
  const length = Math.max(phrase?.stems.length ?? 0, period?.length ?? 0, keyword?.length ?? 0);
  if (phrase && phrase.stems.length === length) {
    readPhrase({ text: textOf(tokens, at, length), at, meanings: phrase.meanings }, reading);
    return length;
  }
  if (period && period.length === length) {
    if (reading.period) reading.unknown.push(textOf(tokens, at, length));
    reading.period = period.period;
    return length;
  }
  if (keyword) return readKeyword(keyword.constituent, textOf(tokens, at, length), at, reading, tokens) ?? length;
  if (token.kind !== "word" || !STOP.has(token.stem)) reading.unknown.push(token.text);
  if (RESETS.has(token.stem)) reading.grouping = false;
  return 1;
}

/** Behind these words stands what the rows are about, not what they are grouped by. */
const RESETS = new Set(["in", "for", "of", "from", "where"]);

/** A word like "us" is the value "US" only as it is written there. */
function phraseAt(tokens: readonly Token[], at: number, lexicon: ModelLexicon) {
  const { stem: first = "", text = "" } = tokens[at] ?? {};
  return lexicon.get(first)?.find(({ stems, meanings }) => {
    if (stems.length === 1 && STOP.has(first) && !meanings.some((one) => one.kind === "value" && one.value === text))
      return false;
    return stems.every((stem, offset) => tokens[at + offset]?.stem === stem);
  });
}

function textOf(tokens: readonly Token[], at: number, length: number): string {
  return tokens
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(" ");
}

/** Metrics win over dimensions, these over filters, these over values. */
function readPhrase(mention: Mention, reading: Reading): void {
  const of = (kind: ModelMeaning["kind"]) => mention.meanings.filter((meaning) => meaning.kind === kind);
  const [metrics, dimensions, filters, values] = [of("metric"), of("dimension"), of("filter"), of("value")];
  const negated = reading.negation !== undefined;
  if (metrics.length > 0 && !(reading.grouping && dimensions.length > 0)) {
    reading.metrics.push({ ...mention, meanings: metrics, ...(reading.counted && { counted: reading.counted.as }) });
    reading.counted = undefined;
    reading.grouping = false;
    // "regions by revenue" is a ranking that nobody asked for.
    if (!reading.top && reading.awaited) reading.unknown.push(reading.awaited);
    reading.awaited = undefined;
  } else if (dimensions.length > 0) {
    const own = { ...mention, meanings: dimensions };
    reading.awaited = undefined;
    if (reading.grouping) reading.groupings.push(own);
    else reading.labels.push(own);
  } else if (filters.length > 0) {
    for (const filter of filters) if (filter.kind === "filter") reading.filters.push({ name: filter.name, negated });
    reading.negation = undefined;
  } else {
    reading.conditions.push({ ...mention, meanings: values, negated });
    reading.negation = undefined;
    reading.grouping = false;
  }
}

type Keyword = NonNullable<ReturnType<typeof keywordAt>>["constituent"];

/** Keywords that a query of a model has; others are unknown, because leaving one out would answer another question. */
function readKeyword(
  keyword: Keyword,
  text: string,
  at: number,
  reading: Reading,
  tokens: readonly Token[],
): number | undefined {
  switch (keyword.kind) {
    case "grain":
      return void setGrain(keyword.grain, text, reading);
    case "unit":
      if (reading.grouping) return void setGrain(keyword.unit, text, reading);
      break;
    case "group":
      // "revenue per order" may be an average.
      if (keyword.word === "per") break;
      reading.grouping = true;
      reading.awaited = text;
      return undefined;
    case "which":
      reading.grouping = true;
      return undefined;
    case "top": {
      // Whether much of a metric is good is not known.
      if (keyword.by || reading.top || /best|worst|weak|strong|lead|busy|busiest|slow/.test(text)) break;
      const next = tokens[at + text.split(" ").length];
      const count = next?.kind === "number" ? next.value : undefined;
      if (count !== undefined && !(Number.isInteger(count) && count > 0)) break;
      reading.top = { count: count ?? 1, descending: keyword.direction === "most", at };
      reading.grouping = true;
      return count === undefined ? undefined : text.split(" ").length + 1;
    }
    case "not":
      if (reading.negation === undefined) {
        reading.negation = text;
        return undefined;
      }
      break;
    case "count":
      reading.counted = { text, as: "count" };
      return undefined;
    case "aggregate":
      if (keyword.fn !== "sum") break;
      reading.counted = { text, as: "sum" };
      return undefined;
    case "chart":
      reading.chart = keyword.mark;
      return undefined;
    case "follow-up":
      reading.adds ||= keyword.adds ?? false;
      return undefined;
    case "list":
      reading.listed = true;
      return undefined;
  }
  reading.unknown.push(text);
  return undefined;
}

function setGrain(grain: Grain, text: string, reading: Reading): void {
  if (reading.grain && reading.grain !== grain) reading.unknown.push(text);
  reading.grain = grain;
  reading.awaited = undefined;
  reading.grouping = true;
}

/** A dimension beside one of its values only says which; any other that nobody groups by is not understood. */
function finished(reading: Reading, tokens: readonly Token[]): ReadQuestion {
  const { metrics, groupings, conditions, filters, labels, grain, period, top, chart, adds, listed } = reading;
  const explains = (label: Mention) =>
    conditions.some(
      ({ at, meanings }) =>
        Math.abs(at - label.at) <= 3 &&
        meanings.some((value) => label.meanings.some((one) => dimensionOf(one) === dimensionOf(value))),
    );
  const unknown = [
    ...reading.unknown,
    ...labels.filter((label) => !explains(label)).map(({ text }) => text),
    ...unjoinedMetrics(metrics, top !== undefined, tokens),
    ...alternatives(reading, tokens),
  ];
  return {
    ...{ metrics, groupings, conditions, filters, adds, listed, unknown },
    ...definedFields({ grain, period, top, chart }),
  };
}

/** The dimension that is meant, or whose value is. */
export function dimensionOf(meaning: ModelMeaning): string | undefined {
  return meaning.kind === "dimension" || meaning.kind === "value" ? meaning.dimension : undefined;
}

/** "orders with refunds" is not "orders and refunds", nor is "revenue in the north and orders in the south". */
function unjoinedMetrics(metrics: readonly Mention[], ranked: boolean, tokens: readonly Token[]): readonly string[] {
  return metrics.slice(1).flatMap(({ text, at }, index) => {
    const before = metrics[index];
    const between = tokens.slice((before?.at ?? 0) + (before?.text.split(" ").length ?? 0), at).map(({ stem }) => stem);
    const isListed = between.every((stem) => JOINING.has(stem)) && (between.length === 0 || between.includes("and"));
    return isListed || ranked ? [] : [text];
  });
}

/** What may stand between two metrics of a list; with anything else it is not certain to which of them that belongs. */
const JOINING = new Set(["and", "also", "the", "a", "number", "of", "how", "many", "much", "count", "total", "sum"]);

/** "North or cancelled" is no "and". */
function alternatives({ conditions, filters }: Reading, tokens: readonly Token[]): readonly string[] {
  const dimensions = new Set(conditions.map(({ meanings }) => meanings.map(dimensionOf).join()));
  return tokens.some(({ stem }) => stem === "or") && dimensions.size + filters.length > 1 ? ["or"] : [];
}
