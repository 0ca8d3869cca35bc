import type { ModelQuery as ModelQueryMessage } from "@frontdesk/protos/gda/model_query";
import type { JsonObject } from "#base";
import type { ResultSet } from "#warehouse";

/** What a person asks data with: SQL, or a query of the semantic model. Exactly one is set. */
export interface AskedStatement {
  /** In the dialect of the engine or in GoogleSQL; "" for none. */
  readonly sqlQuery: string;
  readonly modelQuery?: ModelQueryMessage | undefined;
}

/** A data agent as far as its semantic model goes. */
export interface ModelledAgent {
  /** Resource name; its budget holds. Default: that of questions without an agent. */
  readonly agent?: string;
  /** The model that it has itself, as the text of a model file. Default none. */
  readonly semanticModel?: string;
}

/** A statement that a person wrote, or a query of the semantic model that a person made. */
export interface Statement extends AskedStatement, ModelledAgent {
  /** Only how the engine would run it. Default false. */
  readonly explainOnly?: boolean;
  /** Bytes that it may read, where the engine can tell before it runs. Default no limit. */
  readonly maxScannedBytes?: number;
}

/** A statement that an engine can run. */
export interface CompiledStatement {
  readonly sql: string;
  /** The query of the semantic model in words (SEM-6); "" for SQL of a person. */
  readonly words: string;
  readonly written: "person" | "semantic-model";
}

/** What came of a statement. */
export interface StatementOutcome {
  /** Absent where it was only explained. */
  readonly result?: ResultSet;
  /** Vega-Lite of the rows, where they make a chart. */
  readonly chart?: JsonObject;
  /** How the engine runs it, a line a step; "" where it cannot tell. */
  readonly plan: string;
  /** Bytes that it reads, where the engine can tell. */
  readonly scannedBytes?: number;
  readonly statement: CompiledStatement;
}

/** An answer that a person found right. */
export interface RightAnswer {
  readonly question: string;
  readonly statement: AskedStatement;
  /** Whose semantic model a query is of. */
  readonly agent: ModelledAgent;
  /** Who says so; "" where callers are not known. */
  readonly verifier: string;
}
