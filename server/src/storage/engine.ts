import type { CompiledQuery, Expression, Kysely, RawBuilder, SqlBool } from "kysely";
import type { ExportValues, HeadValues, StoredTask, Tables } from "./tables.ts";

/** One SQL statement with its values, ready to run. */
export interface Statement<Row = unknown> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Never set: it has the type of the rows. */
  readonly rowType?: Row;
}

/** A statement of a write. `changes` makes it a condition: unless exactly that many rows change, the whole write is undone. */
export interface Step extends Statement {
  readonly changes?: number;
}

/** The outcome of a write that the engine could run. */
export type CommitOutcome =
  /** Durable. `changes` counts the rows of all steps. */
  | { readonly kind: "committed"; readonly changes: number }
  /** The condition of this step (from 0) failed, so nothing of the write was stored. */
  | { readonly kind: "condition-failed"; readonly step: number };

/** A turn that a search has found. */
export interface FoundTurn {
  /** The id of its conversation. */
  readonly conversation: number;
}

/** Full-text search over the words of turns, by the means of a dialect. */
interface TurnSearch {
  /** Indexes unindexed turns, as many as is quickly done. */
  catchUp(): Promise<void>;
  /** A query of the conversations (`conversation`, their ids) of the turns that have a word with this prefix. */
  withWord(word: string): RawBuilder<FoundTurn>;
  /** Whether a conversation of a query has one of these ids, which are one parameter. */
  isOneOf(ids: readonly number[]): RawBuilder<SqlBool>;
  /** The most turns with a word whose conversations a query is told by their ids. */
  readonly rare: number;
  /** Whether a conversation of a query has a word with this prefix, tested by its own turns. */
  hasWord(word: string): RawBuilder<SqlBool>;
  /** Whether the rows of a part keep their order when they are filtered. A dialect that does not know it would test the whole part to sort it. */
  readonly keepsOrder: boolean;
  /** The texts of turns that have this one, whatever the case of ASCII letters. */
  hasText(text: string): RawBuilder<SqlBool>;
}

/** A finished turn as rows. */
export interface AppendedTurn {
  /** With the turn's number as `turn_count`. */
  readonly head: HeadValues;
  readonly body: Uint8Array;
  readonly extra: string;
  readonly text: string;
  readonly withheld: boolean;
  readonly exports: readonly ExportValues[];
  /** Of the lease under which the turn ran; undefined for one without a lease. */
  readonly token?: string | undefined;
}

/** What a write changed that servers keep in memory. */
export interface Change {
  /** A row of configuration, one with all below it, a credential, or a value that expires. */
  readonly kind: "resource" | "tree" | "credential" | "value";
  readonly name: string;
  /** Resource type, or kind of value; "" when it is not known. */
  readonly type: string;
}

/** How the stores of several servers over one database keep each other up to date. */
export interface Sharing {
  /** This server, as it is named in rows. */
  readonly owner: string;
  /** The step that tells the other servers, as part of the write. */
  announce(changes: readonly Change[]): Step;
  /** Called with each change of another server, and with undefined when any may have been missed. */
  onChange(listener: (change: Change | undefined) => void): void;
  /** Resolves when every change that was durable before the call has been told to the listeners. */
  refresh(): Promise<void>;
  /** The step after which no server goes on with the head that it remembers. */
  forgetHead(conversation: string): Step;
  /** The step that makes this server the owner of the unfinished operations of servers that have ended. */
  adoptOperations(): Step;
  /** Makes this server the one that answers for the unfinished tasks of servers that have ended, and returns these tasks. */
  adoptTasks(): Statement<StoredTask>;
}

/** The interface of a dialect to the stores. Everything else in a store is the same for every dialect. */
export interface Engine {
  /** Builds and compiles queries of this dialect; it cannot run them. */
  readonly queries: Kysely<Tables>;
  /** Runs a query on committed rows. */
  all<Row>(statement: Statement<Row> | CompiledQuery<Row>): Promise<readonly Row[]>;
  /**
   * Runs a query whose answer may be some seconds old, where less work for the database is worth that. It is ended, in the database too, when the signal is aborted, whose
   * reason it rejects with then.
   */
  late<Row>(statement: Statement<Row> | CompiledQuery<Row>, signal?: AbortSignal): Promise<readonly Row[]>;
  /** A condition of what `late` runs, true for every row of a table with this id: a dialect without a limit of its own ends what takes too long there. */
  whileInTime(id: string): RawBuilder<SqlBool>;
  /**
   * Runs the steps in order, all or nothing; durable when it resolves. Writes that wait at the same time share one commit, each with its
   * own outcome. Rejects with UNAVAILABLE when the database cannot write, and with INTERNAL when it rejects a statement or a value.
   */
  commit(steps: readonly Step[]): Promise<CommitOutcome>;
  /** Whether the parent of a resource matches a name that has `-` in place of one or more segments. */
  matchesParent(pattern: string): Expression<SqlBool>;
  /** Whether the name of a row is one of these, which are one parameter: there may be thousands. */
  isNamed(names: readonly string[]): Expression<SqlBool>;
  readonly search: TurnSearch;
  /**
   * Stores a turn with its head and exports, all or nothing; durable when it resolves. False when the lease or the turn count is another one.
   * Undefined: the steps of the store do.
   */
  readonly appendTurn?: (turn: AppendedTurn) => Promise<boolean>;
  /** Undefined: no other server has the data. */
  readonly sharing?: Sharing;
}
