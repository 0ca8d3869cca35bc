import type { SemanticModel, SemanticTable } from "#analytics";
import type { Meaning } from "../lexicon/meaning.ts";
import { spokenTable } from "../lexicon/table-words.ts";
import type { AggregateFunction, Item } from "../parse/item.ts";
import { type ColumnRef, EMPTY_QUERY, type SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";
import { nothingSaid, type Said } from "./said.ts";

/** A question while it is read from its first piece to its last: what is understood so far, and what is still open. */
export interface Reading {
  readonly items: readonly Item[];
  readonly model: SemanticModel;
  /** Tables that the question is certainly about, as they are spoken; they decide between meanings. */
  readonly mentioned: readonly string[];
  readonly draft: Draft;
  readonly said: Said;
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
  bound: Extract<Item, { kind: "compare" }> | undefined;
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
export interface Pending {
  aggregate: AggregateFunction | undefined;
  count: boolean;
  group: boolean;
  which: boolean;
  top: boolean;
  negated: boolean;
}

/** A question of which nothing is read yet. */
export function beginReading(items: readonly Item[], model: SemanticModel): Reading {
  return {
    items,
    model,
    mentioned: tablesSpokenOf(items),
    draft: { ...EMPTY_QUERY, measures: [], dimensions: [], filters: [], having: [] },
    said: nothingSaid(),
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
function tablesSpokenOf(items: readonly Item[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.kind !== "ref") return [];
    const tables = new Set(item.meanings.map(({ table }) => spokenTable(table)));
    const named = item.meanings.filter(({ kind }) => kind === "table" || kind === "measure");
    return named.length > 0 ? named.map(({ table }) => spokenTable(table)) : tables.size === 1 ? [...tables] : [];
  });
}
