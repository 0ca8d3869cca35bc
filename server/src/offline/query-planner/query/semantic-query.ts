import type { ChartHint, SemanticTable } from "#analytics";
import type { AggregateFunction, DayPart } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import type { Comparison } from "../lexicon/comparison.ts";
import type { Grain, Period } from "../time/period.ts";

/** A measure: an aggregate in the result. */
export type Measure =
  | ({
      readonly kind: "aggregate";
      readonly fn: AggregateFunction;
      /** Whether the question names no aggregate: it was chosen by the column. Default false. */
      readonly assumed?: boolean;
      /** Whether the number of another row counts once for each row that belongs to it: "average seats of flights". Default false. */
      readonly each?: boolean;
    } & ColumnRef)
  /** The number of rows of a table. */
  | { readonly kind: "rows"; readonly table: SemanticTable }
  /** A named measure of the author. */
  | { readonly kind: "named"; readonly table: SemanticTable; readonly measure: SemanticTable["measures"][number] }
  /** "average revenue per order": a total divided by a number of rows. */
  | { readonly kind: "ratio"; readonly of: Measure; readonly per: SemanticTable }
  /** "revenue per passenger": one aggregate with another of the same rows. */
  | { readonly kind: "combined"; readonly by: Combination; readonly left: Measure; readonly right: Measure }
  /** "return rate": the percentage of rows with a value. */
  | ({ readonly kind: "rate"; readonly value: string } & ColumnRef);

/** A quotient, one in percent, a difference and a sum. */
export type Combination = "/" | "%" | "-" | "+";

/** A dimension: rows are grouped by it. */
export type Dimension =
  | ({ readonly kind: "column" } & ColumnRef)
  /** Rows of a table, grouped by their key and shown by their display column. */
  | { readonly kind: "entity"; readonly table: SemanticTable }
  | { readonly kind: "time"; readonly grain: Grain; readonly of?: ColumnRef }
  | { readonly kind: "part"; readonly part: DayPart };

/** A condition on rows. */
export type Filter =
  | ({
      readonly kind: "values";
      readonly values: readonly string[];
      readonly negated: boolean;
      /** "never purchased": there is no row with the value at all. Default false. */
      readonly never?: boolean;
    } & ColumnRef)
  | ({ readonly kind: "compare"; readonly comparison: Comparison; readonly value: number } & ColumnRef)
  | ({ readonly kind: "between"; readonly low: number; readonly high: number } & ColumnRef)
  /** More or less than the mean of the column over all rows. */
  | ({ readonly kind: "average"; readonly comparison: ">" | "<" } & ColumnRef)
  /** Without a value: NULL, or a text without letters; negated, with one. */
  | ({ readonly kind: "empty"; readonly negated?: boolean } & ColumnRef)
  | ({ readonly kind: "contains"; readonly text: string; readonly negated: boolean } & ColumnRef)
  /** Rows, by their key, that have a related row, or have none: "premium of policies with a claim", "students without absences by house". */
  | ({ readonly kind: "related"; readonly occurrence: Occurrence } & ColumnRef);

/** A related row that must, or must not, exist: "customers who bought Tea", "products not sold in June". */
export interface Occurrence {
  readonly negated: boolean;
  /** The fact table; its rows belong to the subject. */
  readonly fact: SemanticTable;
  readonly filters: readonly Filter[];
  readonly period?: Period;
  /** So many of them must there be; default 1. */
  readonly atLeast?: number;
}

/** Rows of `subject` for which all occurrences hold. */
export interface Existence {
  readonly subject: SemanticTable;
  readonly counted: boolean;
  readonly occurrences: readonly Occurrence[];
}

/** A condition on groups. */
interface Having {
  readonly measure: Measure;
  readonly comparison: Comparison;
  readonly value: number;
}

/** A semantic query: the meaning of a question before it is SQL. A follow-up inherits the parts that it omits. */
export interface SemanticQuery {
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly having: readonly Having[];
  readonly period?: Period;
  /** A second period for comparison: the result has rows of both. */
  readonly otherPeriod?: Period;
  /** Days of every week that rows are of, Monday 1. */
  readonly days?: readonly number[];
  /** The column of the period; default the base table's own. */
  readonly timeColumn?: ColumnRef;
  readonly top?: {
    readonly count: number | undefined;
    readonly direction: "most" | "least";
    /** "in 2025 and 2026", "each month": the first of each time, and not of all. */
    readonly ofEachTime?: boolean;
  };
  /** Only groups whose first measure is above, or below, the mean of all groups. */
  readonly average?: ">" | "<";
  readonly existence?: Existence;
  /** A fact table that must be joined although no column of it is used. */
  readonly through?: SemanticTable;
  /** The number of newest rows to list. */
  readonly latest?: number;
  readonly share: boolean;
  readonly growth?: "previous" | "year";
  readonly running: boolean;
  /** The mean of the last so many units of time. */
  readonly moving?: { readonly count: number; readonly grain: Grain };
  /** "how many customers have more than 5 orders": the groups are counted. */
  readonly countGroups: boolean;
  readonly chart?: ChartHint;
}

export const EMPTY_QUERY: SemanticQuery = {
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  share: false,
  running: false,
  countGroups: false,
};

/** The table whose rows a measure is of. */
export function tableOfMeasure(measure: Measure): SemanticTable {
  if (measure.kind === "combined") return tableOfMeasure(measure.left);
  return measure.kind === "ratio" ? tableOfMeasure(measure.of) : measure.table;
}
