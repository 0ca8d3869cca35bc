import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { columnLabel, isBirth, timeColumns } from "../lexicon/names.ts";
import { storedTables } from "../lexicon/roles.ts";
import { type Joins, joinsOf } from "../query/join-graph.ts";
import type { Measure, SemanticQuery } from "../query/semantic-query.ts";

/** The table whose rows are aggregated: a path of many-to-one joins leads from it to every other table. */
export function baseTable(
  query: SemanticQuery,
  subjects: readonly SemanticTable[],
  model: SemanticModel,
): SemanticTable | undefined {
  const needed = tablesOf(query, subjects);
  const own = measureTables(query.measures);
  const joins = joinsOf(model);
  const candidates = storedTables(model).flatMap((table) => {
    const lengths = needed.map((other) => joins.path(table, other, new Set())?.steps.length);
    if (lengths.includes(undefined)) return [];
    const steps = lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
    return [{ table, cost: steps + (own.length > 0 && !own.includes(table) ? 0.5 : 0) }];
  });
  return candidates.toSorted((left, right) => left.cost - right.cost)[0]?.table;
}

export function tablesOf(
  { measures, dimensions, filters, having, timeColumn, through }: SemanticQuery,
  subjects: readonly SemanticTable[],
) {
  const named = [
    ...measureTables([...measures, ...having.map(({ measure }) => measure)]),
    ...dimensions.flatMap((one) =>
      one.kind === "part" ? [] : one.kind === "time" ? (one.of?.table ?? []) : one.table,
    ),
    ...(through ? [through] : []),
    ...filters.map(({ table }) => table),
    ...(timeColumn ? [timeColumn.table] : []),
  ];
  return [...new Set(named.length > 0 ? named : subjects)];
}

function measureTables(measures: readonly Measure[]): SemanticTable[] {
  return measures.flatMap((measure) =>
    measure.kind === "combined"
      ? measureTables([measure.left, measure.right])
      : measure.kind === "ratio"
        ? [...measureTables([measure.of]), measure.per]
        : [measure.table],
  );
}

/** The time of a row of the base table, which no birth is: its own time column, else that of a table it belongs to, the one with most rows first. */
export function defaultTimeColumn(base: SemanticTable, model: SemanticModel): ColumnRef | undefined {
  const joins: Joins = joinsOf(model);
  const reachable = storedTables(model)
    .map((table) => ({ table, steps: joins.path(base, table, new Set())?.steps.length ?? Number.POSITIVE_INFINITY }))
    .filter(({ table, steps }) => steps < Number.POSITIVE_INFINITY && happenedAt(table) !== undefined)
    .toSorted((left, right) => left.steps - right.steps || rows(right.table) - rows(left.table));
  const [nearest] = reachable;
  const column = nearest && happenedAt(nearest.table);
  return nearest && column && { table: nearest.table, column };
}

function happenedAt(table: SemanticTable): SemanticColumn | undefined {
  return timeColumns(table).find((column) => !isBirth(columnLabel(table, column)));
}

function rows({ schema }: SemanticTable): number {
  return schema.rowCount ?? 0;
}
