import type { SemanticColumn, SemanticTable } from "#analytics";

/** A column with its table. */
export interface ColumnRef {
  readonly table: SemanticTable;
  readonly column: SemanticColumn;
}
