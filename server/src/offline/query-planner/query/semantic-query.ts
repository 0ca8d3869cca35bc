import type { ChartWish, SemanticColumn, SemanticTable } from "#analytics";
import type { AggregateFunction, Comparison, DayPart } from "../constituents/constituent.ts";
import type { Grain, Period } from "../time/period.ts";

/** A column with the table it stands in. */
export interface ColumnRef {
  readonly table: SemanticTable;
  readonly column: SemanticColumn;
}

/** A number that is asked for. */
export type Measure =
  | ({ readonly kind: "aggregate"; readonly fn: AggregateFunction } & ColumnRef)
  /** How many rows a table has. */
  | { readonly kind: "rows"; readonly table: SemanticTable }
  /** An aggregate that the author named. */
  | { readonly kind: "named"; readonly table: SemanticTable; readonly measure: SemanticTable["measures"][number] }
  /** "average revenue per order": a total over the number of things. */
  | { readonly kind: "ratio"; readonly of: Measure; readonly per: SemanticTable }
  /** "return rate": how many in a hundred rows have a value. */
  | ({ readonly kind: "rate"; readonly value: string } & ColumnRef);

/** What rows are grouped by. */
export type Dimension =
  | ({ readonly kind: "column" } & ColumnRef)
  /** Rows of a table, by their key, told by their name. */
  | { readonly kind: "entity"; readonly table: SemanticTable }
  | { readonly kind: "time"; readonly grain: Grain; readonly of?: ColumnRef }
  | { readonly kind: "part"; readonly part: DayPart };

/** Which rows count. */
export type Filter =
  | ({ readonly kind: "values"; readonly values: readonly string[]; readonly negated: boolean } & ColumnRef)
  | ({ readonly kind: "compare"; readonly comparison: Comparison; readonly value: number } & ColumnRef)
  | ({ readonly kind: "between"; readonly low: number; readonly high: number } & ColumnRef)
  /** More or less than the mean of the column over all rows. */
  | ({ readonly kind: "average"; readonly comparison: ">" | "<" } & ColumnRef)
  | ({ readonly kind: "contains"; readonly text: string; readonly negated: boolean } & ColumnRef);

/** Something that did or did not happen to a thing: "customers who bought Tea", "products not sold in June". */
export interface Occurrence {
  readonly negated: boolean;
  /** The table of what happens; its rows belong to the thing. */
  readonly fact: SemanticTable;
  readonly filters: readonly Filter[];
  readonly period?: Period;
}

/** Things by what happened to them: each of `occurrences` holds. */
export interface Existence {
  readonly subject: SemanticTable;
  readonly counted: boolean;
  readonly occurrences: readonly Occurrence[];
}

/** Which groups count. */
interface Having {
  readonly measure: Measure;
  readonly comparison: Comparison;
  readonly value: number;
}

/** A question as understood, before it is SQL. Parts that a follow-up leaves out are taken from the question before. */
export interface SemanticQuery {
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly having: readonly Having[];
  readonly period?: Period;
  /** A second time to compare with: rows of both are taken. */
  readonly otherPeriod?: Period;
  /** The column that the period is about; default the base table's own. */
  readonly timeColumn?: ColumnRef;
  readonly top?: { readonly count: number | undefined; readonly direction: "most" | "least" };
  /** Only groups whose first measure is above, or below, the mean of all groups. */
  readonly average?: ">" | "<";
  readonly existence?: Existence;
  /** Rows of this table are what happened, also where none of its columns is asked for. */
  readonly through?: SemanticTable;
  /** The newest rows are listed. */
  readonly latest?: number;
  readonly share: boolean;
  readonly growth?: "previous" | "year";
  readonly running: boolean;
  /** "how many customers have more than 5 orders": the groups are counted. */
  readonly countGroups: boolean;
  readonly chart?: ChartWish;
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
