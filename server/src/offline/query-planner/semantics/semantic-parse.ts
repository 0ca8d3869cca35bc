import type { SemanticModel, SemanticTable } from "#analytics";
import type { AggregateFunction, Constituent } from "../constituents/constituent.ts";
import type { Attribute } from "../lexicon/attributes.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import type { Meaning } from "../lexicon/meaning.ts";
import { tableLabel } from "../lexicon/names.ts";
import { type Combination, EMPTY_QUERY, type SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";

/** The state of a semantic parse, which applies one constituent after the other. */
export interface SemanticParse {
  readonly constituents: readonly Constituent[];
  readonly model: SemanticModel;
  /** Labels of the tables that the question certainly mentions, else those of the question before; they disambiguate references. */
  readonly mentioned: readonly string[];
  readonly draft: Draft;
  readonly cues: Cues;
  readonly warnings: string[];
  /** Constituents that were not understood, as written. */
  readonly unknown: string[];
  /** Unknown words that only introduce the value behind them ("rated R"), and those directly before a time ("left in 2025"). */
  readonly asides: { readonly values: string[]; readonly times: string[] };
  /** Why the question cannot be answered, in sentences: a wrong answer would look right. */
  readonly refusals: string[];
  /** "minimum and maximum price": the aggregates before the pending one, of the same column. */
  readonly otherAggregates: AggregateFunction[];
  /** The tables that the question names, in its order. */
  readonly subjects: SemanticTable[];
  pending: Pending;
  /** The meanings of the last two references. */
  last: Meaning | undefined;
  beforeLast: Meaning | undefined;
  /** "when was the first": the question asks for a time of the next table. */
  moment: "min" | "max" | undefined;
  /** "more than 5", before the counted table is known. */
  bound: Extract<Constituent, { kind: "compare" }> | undefined;
  /** "more than average", before the measure is known. */
  boundAverage: ">" | "<" | undefined;
  /** The column that is compared with its own mean. */
  averaged: ColumnRef | undefined;
  /** "the month before": the unit by which the previous period moves back. */
  shift: Grain | undefined;
}

/** The query so far. */
export type Draft = {
  -readonly [Part in keyof SemanticQuery]: SemanticQuery[Part] extends readonly (infer Element)[]
    ? Element[]
    : SemanticQuery[Part];
};

/** Keywords that wait for their object. */
interface Pending {
  aggregate: AggregateFunction | undefined;
  count: boolean;
  group: boolean;
  which: boolean;
  top: boolean;
  negated: boolean;
}

/** The parse before the first constituent. `before`: labels of the tables that the question before was about. */
export function beginParse(
  constituents: readonly Constituent[],
  model: SemanticModel,
  before: readonly string[],
): SemanticParse {
  const mentioned = mentionedTables(constituents);
  return {
    constituents,
    model,
    mentioned: mentioned.length > 0 ? mentioned : before,
    draft: { ...EMPTY_QUERY, measures: [], dimensions: [], filters: [], having: [] },
    cues: noCues(),
    warnings: [],
    unknown: [],
    asides: { values: [], times: [] },
    refusals: [],
    otherAggregates: [],
    subjects: [],
    pending: nothingPending(),
    last: undefined,
    beforeLast: undefined,
    moment: undefined,
    bound: undefined,
    boundAverage: undefined,
    averaged: undefined,
    shift: undefined,
  };
}

/** No keyword waits for its object. */
export function nothingPending(): Pending {
  return { aggregate: undefined, count: false, group: false, which: false, top: false, negated: false };
}

/** The tables that the question mentions by name or by a phrase with one meaning. */
function mentionedTables(constituents: readonly Constituent[]): readonly string[] {
  return constituents.flatMap((constituent) => {
    if (constituent.kind !== "ref") return [];
    const tables = new Set(constituent.meanings.map(({ table }) => tableLabel(table)));
    const named = constituent.meanings.filter(({ kind }) => kind === "table" || kind === "measure");
    return named.length > 0 ? named.map(({ table }) => tableLabel(table)) : tables.size === 1 ? [...tables] : [];
  });
}

/** Cues whose effect depends on the whole question; false until they occur. */
interface Cues {
  /** what about, instead. */
  followsUp: boolean;
  /** and by. */
  adds: boolean;
  /** list, show. */
  listed: boolean;
  /** over time, trend. */
  overTime: boolean;
  /** different, unique. */
  distinct: boolean;
  /** The last grouping keyword was "per". */
  per: boolean;
  /** "revenue per passenger", "cost as a percentage of revenue": how the last number is combined with the next one. */
  combines: Combination | undefined;
  /** "average quantity per line": the table of the mean follows "per". */
  averagedPer: boolean;
  /** spent, earned. */
  money: boolean;
  /** "invoice amount", "order value": a number that must be named; the word, or undefined. */
  amount: string | undefined;
  /** "oldest": the question asks for the thing, not for its time. */
  namesMoment: boolean;
  /** "oldest", "newest": that word. */
  moment: string | undefined;
  /** bought, sold. */
  event: boolean;
  /** who. */
  person: boolean;
  /** "which products". */
  several: boolean;
  /** "which product". */
  singular: boolean;
  /** compare, versus. */
  versus: boolean;
  /** cheapest, heaviest: what the ranking word compares. */
  rankedBy: { readonly attribute: Attribute; readonly text: string } | undefined;
  /** busiest, most common. */
  rankedByRows: boolean;
  /** A "not" without an object so far. */
  openNegation: boolean;
  /** The last "not" was "missing". */
  missing: boolean;
  /** The last "not" was "never". */
  never: boolean;
  /** An "average" without a divisor so far. */
  openAverage: boolean;
  /** "versus the quarter before": the unit that is compared. */
  grownBy: Grain | undefined;
}

/** The cues before the first constituent. */
function noCues(): Cues {
  return {
    followsUp: false,
    adds: false,
    listed: false,
    overTime: false,
    distinct: false,
    per: false,
    combines: undefined,
    averagedPer: false,
    money: false,
    amount: undefined,
    namesMoment: false,
    moment: undefined,
    event: false,
    person: false,
    several: false,
    singular: false,
    versus: false,
    rankedBy: undefined,
    rankedByRows: false,
    openNegation: false,
    missing: false,
    never: false,
    openAverage: false,
    grownBy: undefined,
  };
}
