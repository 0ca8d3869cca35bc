import type { SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef, SemanticQuery } from "../query/semantic-query.ts";
import type { DialectWords } from "./dialect.ts";
import type { Expressions } from "./expressions.ts";
import type { FromClause } from "./from-clause.ts";

/** A query with each of its parts written, before they are put together. */
export interface Parts {
  readonly query: SemanticQuery;
  readonly base: SemanticTable;
  readonly model: SemanticModel;
  readonly from: FromClause;
  readonly write: Expressions;
  readonly words: DialectWords;
  readonly timeColumn?: ColumnRef;
  readonly groups: readonly Group[];
  readonly values: readonly Value[];
  /** Conditions of time; apart from the others, since a share is of everything in the same time. */
  readonly when: readonly string[];
  readonly where: readonly string[];
  readonly having: readonly string[];
}

/** A number of each row. */
export interface Value {
  readonly name: string;
  readonly text: string;
}

/** A way to group. */
export interface Group {
  readonly name: string;
  /** What is shown. */
  readonly text: string;
  /** What rows are grouped by. */
  readonly by: readonly string[];
  readonly time: boolean;
  /** What rows are put in order by, where it is not what is shown: Monday goes before Friday. */
  readonly order?: string;
}
