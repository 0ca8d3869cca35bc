import type { ChartWish, SemanticModel } from "#analytics";
import type { ResultSet } from "#warehouse";

/** Understands questions without a language model: deterministic, and honest about what it did not understand. */
export interface Interpreter {
  /**
   * `questions`: what the user asked in this conversation, oldest first, the present one last; follow-ups change parts of the
   * one before. `now` settles "last month".
   */
  interpret(questions: readonly string[], model: SemanticModel, now: Date): Interpretation;
  /** The answer in plain words: every number in it is a cell of `result`. Markdown. */
  tell(query: InterpretedQuery, result: ResultSet): string;
}

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
