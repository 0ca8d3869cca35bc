import type { SemanticColumn } from "#analytics";
import type { ColumnRef } from "./column-ref.ts";
import type { Comparison } from "./comparison.ts";

/** A unit in which the time between two moments is told. */
export type ElapsedUnit = "second" | "minute" | "hour" | "day" | "week";

/** What follows from columns of a row, and is none of them. */
export type Computed =
  /** The time from one moment to another: calendar days where one of the two is a day, else seconds that have passed. */
  | { readonly kind: "elapsed"; readonly from: ColumnRef; readonly to: ColumnRef; readonly unit: ElapsedUnit }
  /** Whole years from a birth to today. */
  | { readonly kind: "age"; readonly born: ColumnRef }
  | { readonly kind: "product"; readonly factors: readonly [ColumnRef, ColumnRef] }
  /** The amount of a column that is stored in cents. */
  | { readonly kind: "hundredth"; readonly of: ColumnRef }
  /** 1 where something was done on a later day than it was due, 0 where it was not later; nothing where it is not done. */
  | { readonly kind: "late"; readonly done: ColumnRef; readonly due: ColumnRef }
  /** 1 where one column of a row compares so with another, 0 where it does not; nothing where either is empty. */
  | { readonly kind: "compared"; readonly left: ColumnRef; readonly comparison: Comparison; readonly right: ColumnRef }
  /** 1 where something is not done and was due before today. */
  | { readonly kind: "overdue"; readonly done: ColumnRef; readonly due: ColumnRef };

/** A number that is computed for each row, in the place of a column. */
export interface ComputedColumn extends SemanticColumn {
  readonly computed: Computed;
  /** What the question leaves open and was assumed, as the end of a sentence that begins with what the question says. */
  readonly assumption?: string;
}

/** How a column is computed; undefined of one that is stored. */
export function computedOf(column: SemanticColumn): Computed | undefined {
  return (column as Partial<ComputedColumn>).computed;
}

/** What was assumed to compute a column; undefined where nothing was. */
export function assumptionOf(column: SemanticColumn): string | undefined {
  return (column as Partial<ComputedColumn>).assumption;
}

/** A computed column: its name is what it is called in answers. */
export function computedColumn(name: string, type: "INT64" | "FLOAT64", computed: Computed): ComputedColumn {
  return { name, type, description: "", synonyms: [], tags: [], computed };
}

/** Whether both moments of a time have a time of day, so that it can be told in hours. */
export function hasTimeOfDay({ from, to }: Extract<Computed, { kind: "elapsed" }>): boolean {
  return from.column.type !== "DATE" && to.column.type !== "DATE";
}
