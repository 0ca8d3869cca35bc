import type { ChartHint } from "#analytics";

/** What a question means: a query, another chart of the rows before, or a reply in words. */
export type Interpretation =
  | { readonly kind: "query"; readonly query: InterpretedQuery }
  /** Another chart of the previous rows. */
  | { readonly kind: "redraw"; readonly chart: ChartHint }
  /** A question that is not about the data, or not understood; the follow-ups are questions that are. */
  | { readonly kind: "reply"; readonly text: string; readonly followUps: readonly string[] };

/** A question as SQL. */
export interface InterpretedQuery {
  /** The name of the result, snake_case. */
  readonly name: string;
  readonly sql: string;
  /** The interpretation in one sentence. */
  readonly understanding: string;
  /** For the user: words that were not understood, ambiguities and assumptions. */
  readonly warnings: readonly string[];
  /** Absent where a chart is of no use. */
  readonly chart?: ChartHint;
  readonly followUps: readonly string[];
  /** The column of a time that is asked for, where nobody knows yet which days it covers. */
  readonly uncovered?: string;
  /** Rows of a ranking over all; more are equal to the last of them. Absent without a ranking. */
  readonly ranked?: number;
}
