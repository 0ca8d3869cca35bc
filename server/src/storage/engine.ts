import type { CompiledQuery, Expression, Kysely, SqlBool } from "kysely";
import type { Tables } from "./tables.ts";

/** One SQL statement with its values, ready to run. */
export interface Statement<Row = unknown> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Never set: it carries the type of the rows. */
  readonly rowType?: Row;
}

/** A statement of a write. `changes` makes it a condition: unless exactly that many rows change, the whole write is undone. */
export interface Step extends Statement {
  readonly changes?: number;
}

/** What became of a write that the engine could carry out. */
export type CommitOutcome =
  /** Durable. `changes` counts the rows of all steps. */
  | { readonly kind: "committed"; readonly changes: number }
  /** The condition of this step (from 0) did not hold, so nothing of the write was stored. */
  | { readonly kind: "refused"; readonly step: number };

/** Full-text search over the words of turns, in a dialect's own way. */
export interface TurnSearch {
  /** Brings the index up to date, as far as that is quickly done. */
  catchUp(): Promise<void>;
  /** Whether one turn of the conversation of the outer query has this word, or one that begins with it. */
  hasWord(word: string): Expression<SqlBool>;
}

/** What a dialect gives the stores. Everything else in a store is the same for every dialect. */
export interface Engine {
  /** Builds and compiles queries of this dialect; it cannot run them. */
  readonly queries: Kysely<Tables>;
  /** Runs a query on what is committed. */
  all<Row>(statement: Statement<Row> | CompiledQuery<Row>): Promise<readonly Row[]>;
  /**
   * Carries out the steps in order, all or nothing, durable when it resolves. Writes that wait at the same time share one
   * durable commit, each with its own outcome. Rejects with UNAVAILABLE when the store cannot write,
   * and with INTERNAL when it does not take a statement or a value.
   */
  commit(steps: readonly Step[]): Promise<CommitOutcome>;
  /** Whether the parent of a resource matches a name that has `-` in place of one or more segments. */
  matchesParent(pattern: string): Expression<SqlBool>;
  readonly search: TurnSearch;
}
