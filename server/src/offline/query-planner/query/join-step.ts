import type { Relationship, SemanticTable } from "#analytics";
import { tableKey } from "#warehouse";

/** A many-to-one join. */
export interface JoinStep {
  readonly from: SemanticTable;
  readonly to: SemanticTable;
  readonly columns: readonly (readonly [from: string, to: string])[];
  /** Whether nobody declared it. */
  readonly proposed: boolean;
}

/** The direction of a join: the side whose columns are its key is the "one" side. */
export function toStep(
  { left, leftColumns, right, rightColumns, proposed = false }: Relationship,
  tables: ReadonlyMap<string, SemanticTable>,
): JoinStep | undefined {
  const [one, other] = [tables.get(tableKey(left)), tables.get(tableKey(right))];
  if (!one || !other) return undefined;
  const pairs = leftColumns.map((column, at): [string, string] => [column, rightColumns[at] ?? column]);
  if (isKeyOf(one, leftColumns) && !isKeyOf(other, rightColumns))
    return { from: other, to: one, columns: pairs.map(([mine, theirs]) => [theirs, mine]), proposed };
  return { from: one, to: other, columns: pairs, proposed };
}

function isKeyOf({ schema }: SemanticTable, columns: readonly string[]): boolean {
  const key = schema.primaryKey ?? [];
  return key.length === columns.length && key.every((name) => columns.includes(name));
}

/** Tables by their paths, as joins name them. */
export function tablesByPath(tables: readonly SemanticTable[]): ReadonlyMap<string, SemanticTable> {
  return new Map(tables.map((table) => [tableKey(table.schema.path), table]));
}
