import type { Context } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { Message, QueryDataRequest, QueryDataResponse } from "@frontdesk/protos/gda/data_chat_service";
import type { SqlSource, TablePath, TableSchema } from "#warehouse";

/** One question in a chat: what was said before, and what may be asked. */
export interface ChatRequest {
  /** The conversation so far, as clients keep it; the last is the question, a user message. */
  readonly messages: readonly Message[];
  readonly context: Context;
  /** For sources that ask with the caller's own rights (Looker). */
  readonly credentials?: Credentials;
  /**
   * A picture of each chart beside its Vega-Lite. Default: what the context's `options.chart.image` asks for, which is SVG or none;
   * the API has no PNG.
   */
  readonly image?: "svg" | "png";
  /** FAST: no plan is told, fewer repairs. THINKING: the full loop. */
  readonly mode: "fast" | "thinking";
  /** Aborted when the client is gone: the running query is cancelled in its engine. */
  readonly signal: AbortSignal;
}

/** Answers questions; like a turn of a session, the only output is the stream. */
export interface Analytics {
  /** Throws refusals of the request before the first message; later failures are messages. Ends with FINAL_RESPONSE or an error. */
  chat(request: ChatRequest): AsyncIterable<Message>;
  /** One question, one answer, no history (CA-22). */
  queryData(request: QueryDataRequest, signal: AbortSignal): Promise<QueryDataResponse>;
}

/** What whoever turns a question into SQL may know of the data: catalogue, the author's overrides, values, examples. */
export interface SemanticModel {
  readonly source: SqlSource;
  readonly tables: readonly SemanticTable[];
  readonly relationships: readonly Relationship[];
  /** Words of the author: term, what it means. */
  readonly glossary: readonly { readonly term: string; readonly meaning: string }[];
  /** The author's instruction as plain text; "" for none. */
  readonly instruction: string;
}

export interface SemanticTable {
  readonly schema: TableSchema;
  /** Other words for the table. */
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
}

export interface SemanticColumn {
  readonly name: string;
  /** GoogleSQL type. */
  readonly type: string;
  readonly description: string;
  readonly synonyms: readonly string[];
  /** The author's categories of it. */
  readonly tags: readonly string[];
  /** All its different values, when they are few; literal words of a question are looked up here. */
  readonly values?: readonly string[];
  /** First and last day of a column of time, as ISO dates; units of the calendar at both ends may be covered in part. */
  readonly range?: { readonly first: string; readonly last: string };
}

/** How two tables join, from keys of the catalogue or the author's relationships: columns pair by position. */
export interface Relationship {
  readonly left: TablePath;
  readonly leftColumns: readonly string[];
  readonly right: TablePath;
  readonly rightColumns: readonly string[];
}

/** How rows should be drawn. Absent parts are chosen from the rows. */
export interface ChartWish {
  readonly mark?: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "scatter" | "pie" | "heatmap";
  readonly x?: string;
  readonly y?: string;
  readonly series?: string;
  readonly title?: string;
}
