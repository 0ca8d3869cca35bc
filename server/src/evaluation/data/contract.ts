import type { JsonObject, JsonValue, Logger } from "#base";
import type { Judge } from "../judge/judge.ts";

/** Rows with the names of their columns; scalars are texts, as the API sends them. */
export interface DataRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** What a data agent answered. */
export interface ObservedAnswer {
  /** The answer in words, "" for none. */
  readonly text: string;
  /** Statements that were run, oldest first; those before the last may have failed. */
  readonly statements: readonly string[];
  /** Queries to Looker, in the JSON of the API. */
  readonly lookerQueries: readonly JsonObject[];
  /** Results, oldest first. None: the agent abstained. */
  readonly results: readonly DataRows[];
  /** Vega-Lite of the chart; undefined without one. */
  readonly chart: JsonObject | undefined;
  readonly durationMs: number;
}

/** What questions of a suite run against. */
export interface DataTestContext {
  /** Asks a question after earlier ones, in a conversation of its own. */
  ask(questions: readonly string[], signal: AbortSignal): Promise<ObservedAnswer>;
  /** Runs a statement that the author of a suite wrote. Rejects with a sentence that says why it does not run. */
  rowsOf(sql: string, signal: AbortSignal): Promise<DataRows>;
  readonly deps: { readonly judge: Judge; readonly logger: Logger };
  readonly signal: AbortSignal;
}
