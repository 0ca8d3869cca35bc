import type { ChartWish } from "#analytics";

/** What a question means: a query, another chart of the rows before, or a reply in words. */
export type Interpretation =
  | { readonly kind: "query"; readonly query: InterpretedQuery }
  /** The rows of the question before, drawn another way. */
  | { readonly kind: "redraw"; readonly chart: ChartWish }
  /** A question that is not about the data, or not understood: what can be asked instead. */
  | { readonly kind: "reply"; readonly text: string; readonly followUps: readonly string[] };

/** A question as it was understood. */
export interface InterpretedQuery {
  /** Name of the result, snake_case, made of what is asked. */
  readonly name: string;
  readonly sql: string;
  /** What was understood, one sentence. */
  readonly understanding: string;
  /** Words that were not understood and readings that were chosen; the user is told each. */
  readonly warnings: readonly string[];
  /** Absent: a chart would say nothing. */
  readonly chart?: ChartWish;
  readonly followUps: readonly string[];
}
