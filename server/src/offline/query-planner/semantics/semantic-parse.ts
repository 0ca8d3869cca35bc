import type { SemanticModel, SemanticTable } from "#analytics";
import type { AggregateFunction, Constituent } from "../constituents/constituent.ts";
import type { Meaning } from "../lexicon/meaning.ts";
import { tableLabel } from "../lexicon/names.ts";
import { type ColumnRef, EMPTY_QUERY, type SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";

/** A question while it is read from its first piece to its last: what is understood so far, and what is still open. */
export interface SemanticParse {
  readonly constituents: readonly Constituent[];
  readonly model: SemanticModel;
  /** Tables that the question is certainly about, as they are spoken; they decide between meanings. */
  readonly mentioned: readonly string[];
  readonly draft: Draft;
  readonly cues: Cues;
  readonly warnings: string[];
  /** Words that found no place. */
  readonly unknown: string[];
  /** Tables that are named, in the order of the question. */
  readonly subjects: SemanticTable[];
  pending: Pending;
  /** What the piece of the data before this one stands for, and the one before that. */
  last: Meaning | undefined;
  beforeLast: Meaning | undefined;
  /** "when was the first": the table that follows is asked for a time. */
  moment: "min" | "max" | undefined;
  /** "more than 5", before what is counted is known. */
  bound: Extract<Constituent, { kind: "compare" }> | undefined;
  /** "more than average", before what is measured is known. */
  boundAverage: ">" | "<" | undefined;
  /** The column that has the mean of itself as its bound. */
  averaged: ColumnRef | undefined;
  /** "the month before": how far the last period moves back. */
  shift: Grain | undefined;
}

/** The query as far as it is read. */
export type Draft = {
  -readonly [Part in keyof SemanticQuery]: SemanticQuery[Part] extends readonly (infer Element)[]
    ? Element[]
    : SemanticQuery[Part];
};

/** What earlier words of a question ask of the next one. */
interface Pending {
  aggregate: AggregateFunction | undefined;
  count: boolean;
  group: boolean;
  which: boolean;
  top: boolean;
  negated: boolean;
}

/** A question of which nothing is read yet. */
export function beginParse(constituents: readonly Constituent[], model: SemanticModel): SemanticParse {
  return {
    constituents,
    model,
    mentioned: mentionedTables(constituents),
    draft: { ...EMPTY_QUERY, measures: [], dimensions: [], filters: [], having: [] },
    cues: noCues(),
    warnings: [],
    unknown: [],
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

/** Words ask nothing of the next one. */
export function nothingPending(): Pending {
  return { aggregate: undefined, count: false, group: false, which: false, top: false, negated: false };
}

/** Tables that the question is certainly about, by name or by a phrase with one meaning. */
function mentionedTables(constituents: readonly Constituent[]): readonly string[] {
  return constituents.flatMap((constituent) => {
    if (constituent.kind !== "ref") return [];
    const tables = new Set(constituent.meanings.map(({ table }) => tableLabel(table)));
    const named = constituent.meanings.filter(({ kind }) => kind === "table" || kind === "measure");
    return named.length > 0 ? named.map(({ table }) => tableLabel(table)) : tables.size === 1 ? [...tables] : [];
  });
}

/** Words whose sense only the whole question shows; false until they are read. */
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
  /** The last word to group was "per". */
  per: boolean;
  /** "average quantity per line": the table of the mean stands behind "per". */
  averagedPer: boolean;
  /** spent, earned. */
  money: boolean;
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
  /** cheapest, most expensive. */
  rankedByPrice: boolean;
  /** A "not" that nothing was chosen by yet. */
  openNegation: boolean;
  /** An "average" that nothing was divided by yet. */
  openAverage: boolean;
}

/** A question of which no such word is read yet. */
function noCues(): Cues {
  return {
    followsUp: false,
    adds: false,
    listed: false,
    overTime: false,
    distinct: false,
    per: false,
    averagedPer: false,
    money: false,
    event: false,
    person: false,
    several: false,
    singular: false,
    versus: false,
    rankedByPrice: false,
    openNegation: false,
    openAverage: false,
  };
}
