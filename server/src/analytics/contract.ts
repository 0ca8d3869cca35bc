import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context, ExampleQuery } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type {
  ListDataTablesRequest,
  ListDataTablesResponseSchema,
  Message,
  QueryDataRequest,
  QueryDataResponse,
} from "@frontdesk/protos/gda/data_chat_service";
import type { ModelVocabularySchema } from "@frontdesk/protos/gda/model_query";
import type { Caller } from "#base";
import type { Models } from "#models";
import type { SqlSource, TablePath, TableSchema } from "#warehouse";
import type { ModelledAgent, RightAnswer, Statement, StatementOutcome } from "./statements/contract.ts";

/** One question of a chat with its conversation and context. */
export interface ChatRequest {
  /** The conversation so far; the last message is the question of the user. */
  readonly messages: readonly Message[];
  readonly context: Context;
  /** For sources with the rights of the caller (Looker). */
  readonly credentials?: Credentials;
  /**
   * A picture of each chart beside its Vega-Lite. Default: what the context's `options.chart.image` asks for, which is SVG or none;
   * the API has no PNG.
   */
  readonly image?: "svg" | "png";
  /** FAST sends no plan and repairs once. THINKING runs the full loop. */
  readonly mode: "fast" | "thinking";
  /** Resource name of the data agent that is asked. Default none: a context of the request's own. */
  readonly agent?: string;
  /** The semantic model that the agent has itself, as the text of a model file. Default none. */
  readonly semanticModel?: string;
  /** Who asks: rules decide what rows and columns there are. Default: a caller without a credential. */
  readonly caller?: Caller;
  /** The models that plan. Default: those of the server, whose tokens nobody is charged for. */
  readonly models?: PlanningModels;
  /** Aborted when the client is gone: the running query is cancelled in its engine. */
  readonly signal: AbortSignal;
}

/** Who calls, and until when. */
type AnalyticsCall = Pick<ChatRequest, "signal" | "caller">;

/** What finds the model that plans. */
export type PlanningModels = Pick<Models, "resolve">;

/** Answers questions; like a turn of a session, the only output is the stream. */
export interface Analytics {
  /** Rejects invalid requests before the first message; later errors are messages. Ends with FINAL_RESPONSE or an error. */
  chat(request: ChatRequest): AsyncIterable<Message>;
  /** One question, one answer, no history (CA-22). */
  queryData(
    request: QueryDataRequest,
    call: Pick<ChatRequest, "signal" | "models" | "caller">,
  ): Promise<QueryDataResponse>;
  /** Runs or explains a statement over the tables of a context (CA-40). */
  runStatement(context: Context, statement: Statement, call: AnalyticsCall): Promise<StatementOutcome>;
  /** The example query of an answer that a person found right, for the context that answered it. INVALID_ARGUMENT where its statement does not run. */
  verifiedExample(context: Context, answer: RightAnswer, call: AnalyticsCall): Promise<ExampleQuery>;
  /** What queries of the agent's semantic model can name (SEM-14). FAILED_PRECONDITION where it has none. */
  vocabulary(
    context: Context,
    agent: ModelledAgent,
    call: AnalyticsCall,
  ): Promise<MessageInitShape<typeof ModelVocabularySchema>>;
  /** The tables that may be named in contexts, with their columns (CA-55). */
  listTables(
    request: ListDataTablesRequest,
    call: AnalyticsCall & ShownDatasets,
  ): Promise<MessageInitShape<typeof ListDataTablesResponseSchema>>;
  /** Stops what reads values in the background. */
  close(): Promise<void>;
}

/** Datasets of connected databases that the caller is shown, ready to be asked. */
interface ShownDatasets {
  readonly datasets: readonly string[];
}

/** What planners know of the data: schemas with the overrides of the author, values, relationships, glossary. */
export interface SemanticModel {
  readonly source: SqlSource;
  readonly tables: readonly SemanticTable[];
  readonly relationships: readonly Relationship[];
  /** Glossary terms of the author. */
  readonly glossary: readonly { readonly term: string; readonly meaning: string }[];
  /** The author's instruction as plain text; "" for none. */
  readonly instruction: string;
  /** Values of the tables that a text names, also of columns with too many values to list. Default none. */
  readonly valuesIn?: (text: string) => readonly FoundValue[];
  /** Number of tables that were left out, because nothing in the question points to them. Default 0. */
  readonly left?: number;
}

/** A value of a column that a text names. */
export interface FoundValue {
  readonly table: TablePath;
  readonly column: string;
  /** As stored. */
  readonly value: string;
}

/** A table of a context: its schema, and what its author and its values say of it. */
export interface SemanticTable {
  readonly schema: TableSchema;
  /** Synonyms of the table name. */
  readonly synonyms: readonly string[];
  /** The author's categories of it. */
  readonly tags: readonly string[];
  readonly columns: readonly SemanticColumn[];
  /** Named aggregates that the author defined (`measures` of a YAML instruction). */
  readonly measures: readonly {
    readonly name: string;
    readonly expression: string;
    readonly synonyms: readonly string[];
  }[];
  /** Whether nobody declared its key: it was found by its values. Default false. */
  readonly keyProposed?: boolean;
  /** Columns that a language model is told in full; of others the name. Default all. */
  readonly detailed?: ReadonlySet<string>;
}

/** A column likewise. */
export interface SemanticColumn {
  readonly name: string;
  /** GoogleSQL type. */
  readonly type: string;
  readonly description: string;
  readonly synonyms: readonly string[];
  /** The author's categories of it. */
  readonly tags: readonly string[];
  /** All distinct values, where they are few; literals of a question are looked up here. */
  readonly values?: readonly string[];
  /** Some values, where they are many. */
  readonly samples?: readonly string[];
  /** Values that the question names, where they are many. */
  readonly found?: readonly string[];
  /** Whether it is a whole number that says yes (1) or no (0). Default false. */
  readonly zeroOrOne?: boolean;
  /** First and last day of a column of time, as ISO dates; units of the calendar at both ends may be covered in part. */
  readonly range?: { readonly first: string; readonly last: string };
}

/** How two tables join, from keys of the catalogue or the author's relationships: columns pair by position. */
export interface Relationship {
  readonly left: TablePath;
  readonly leftColumns: readonly string[];
  readonly right: TablePath;
  readonly rightColumns: readonly string[];
  /** Found by names and values, and declared by nobody. Default false. */
  readonly proposed?: boolean;
}

/** How rows should be drawn. Absent fields are chosen from the rows. */
export interface ChartHint {
  readonly mark?: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "scatter" | "pie" | "heatmap";
  readonly x?: string;
  readonly y?: string;
  /** Other numbers of the same kind, which are drawn beside `y` where they are of its size. */
  readonly beside?: readonly string[];
  readonly series?: string;
  readonly title?: string;
}
