import type { CompiledQuery, Expression, Kysely, SqlBool } from "kysely";
import type { Tables } from "./tables.ts";

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

/** Full-text search over the words of turns, by the means of a dialect. */
interface TurnSearch {
  /** Indexes unindexed turns, as many as is quickly done. */
  catchUp(): Promise<void>;
  /** Whether a turn of the conversation of the outer query has a word with this prefix. */
  hasWord(word: string): Expression<SqlBool>;
}

/** The interface of a dialect to the stores. Everything else in a store is the same for every dialect. */
export interface Engine {
  /** Builds and compiles queries of this dialect; it cannot run them. */
  readonly queries: Kysely<Tables>;
  /** Runs a query on committed rows. */
  all<Row>(statement: Statement<Row> | CompiledQuery<Row>): Promise<readonly Row[]>;
  /**
   * Runs the steps in order, all or nothing; durable when it resolves. Writes that wait at the same time share one commit, each with its
   * own outcome. Rejects with UNAVAILABLE when the database cannot write, and with INTERNAL when it rejects a statement or a value.
   */
  commit(steps: readonly Step[]): Promise<CommitOutcome>;
  /** Whether the parent of a resource matches a name that has `-` in place of one or more segments. */
  matchesParent(pattern: string): Expression<SqlBool>;
  readonly search: TurnSearch;
}
