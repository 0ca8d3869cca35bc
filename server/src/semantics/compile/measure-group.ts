import { findDimension, splitName, timeOf } from "../model/find.ts";
import type { Aggregation, Dimension, ModelDefinition } from "../model/model.ts";
import { type DimensionReference, type Grouping, METRIC_TIME, type ModelQuery } from "../query/model-query.ts";
import { conditionSql } from "./conditions.ts";
import { type CompileContext, type JoinedRows, joinedRows } from "./joined-rows.ts";
import type { Leaf } from "./resolve-metrics.ts";
import { shiftedTime } from "./time-shift.ts";

/** Measures of the same rows: they are aggregated together, each row once, before anything of another dataset is joined (SEM-2). */
export interface MeasureGroup {
  readonly leaves: readonly [Leaf, ...Leaf[]];
}

/** Puts measures together that aggregate the same rows. */
export function measureGroups(leaves: readonly Leaf[], model: ModelDefinition): readonly MeasureGroup[] {
  const groups = new Map<string, [Leaf, ...Leaf[]]>();
  for (const leaf of leaves) {
    const time = timeOf(model, leaf);
    const key = JSON.stringify([leaf.dataset.name, time?.dataset.name, time?.dimension.name, leaf.filters, leaf.shift]);
    const group = groups.get(key);
    if (group) group.push(leaf);
    else groups.set(key, [leaf]);
  }
  return [...groups.values()].map((leaves) => ({ leaves }));
}

/** The statement of a group: columns `d1`, … of the groupings, then those of its measures. */
export function groupSql({ leaves }: MeasureGroup, query: ModelQuery, context: CompileContext): string {
  const [first] = leaves;
  return first.shift ? shiftedSql(leaves, query, context) : plainSql(leaves, query, context);
}

function plainSql(leaves: MeasureGroup["leaves"], query: ModelQuery, context: CompileContext): string {
  const [first] = leaves;
  const rows = joinedRows(first.dataset, context);
  const groupings = query.groupBy.map((grouping, at) => {
    return { sql: groupingSql(grouping, first, rows, context), name: `d${at + 1}` };
  });
  const measures = leaves.map((leaf) => {
    return { sql: aggregateSql(leaf, inputOf(leaf, rows), context), name: leaf.column };
  });
  const conditions = conditionsOf(query, query.where, first, rows, context);
  return selectSql([...groupings, ...measures], rows.from(), conditions, groupings.length, context);
}

/** Rows with their day, then joined to each unit that needs them. */
function shiftedSql(leaves: MeasureGroup["leaves"], query: ModelQuery, context: CompileContext): string {
  const [first] = leaves;
  const { dialect } = context;
  const time = first.shift && shiftedTime(first, first.shift, query, context);
  if (!time) return "";
  const rows = joinedRows(first.dataset, context);
  const day = dialect.day(referenceSql({ dimension: METRIC_TIME }, first, rows, context).sql);
  const others = query.groupBy.flatMap((grouping, at) =>
    at === time.position ? [] : [{ name: `d${at + 1}`, sql: groupingSql(grouping, first, rows, context) }],
  );
  const inputs = leaves.map((leaf) => ({ leaf, sql: inputOf(leaf, rows) }));
  const where = query.where.filter((condition) => !time.isAboutTime(condition));
  const conditions = [...conditionsOf(query, where, first, rows, context), `${day} IS NOT NULL`];
  const byDay = [{ sql: day, name: "t" }, ...others];
  // What adds up is added up by day first: each unit would otherwise read all rows before it.
  const isAdditive = leaves.every(({ measure }) => measure.aggregation in ADDITIVE);
  const daily = inputs.flatMap(({ leaf, sql }) => {
    if (isAdditive) return [{ sql: aggregateSql(leaf, sql, context), name: leaf.column }];
    return sql === undefined ? [] : [{ sql, name: leaf.column }];
  });
  const source = selectSql([...byDay, ...daily], rows.from(), conditions, isAdditive ? byDay.length : 0, context);
  const unit = dialect.truncate(time.unit, "t");
  const bounds = `FROM (SELECT MIN(${unit}) AS a, MAX(${unit}) AS b FROM (${source}) AS x) AS y`;
  const groupings = query.groupBy.map((_, at) => {
    const name = `d${at + 1}`;
    return { sql: at === time.position ? "s.p" : `r.${name}`, name };
  });
  const measures = inputs.map(({ leaf, sql }) => {
    const column = `r.${leaf.column}`;
    const total = ADDITIVE[leaf.measure.aggregation];
    const aggregate = isAdditive && total ? `${total}(${column})` : aggregateSql(leaf, sql && column, context);
    return { sql: aggregate, name: leaf.column };
  });
  const from = `${dialect.series("a", "b", time.unit, bounds)} AS s\n  JOIN (${source}) AS r ON ${time.rows}`;
  return selectSql([...groupings, ...measures], from, time.shown ? [time.shown] : [], groupings.length, context);
}

/** How values of days become those of longer times, for measures where that is possible. */
const ADDITIVE: Readonly<Partial<Record<Aggregation, string>>> = {
  ...{ sum: "SUM", count: "SUM", sum_boolean: "SUM", min: "MIN", max: "MAX" },
};

/** `grouped`: how many of the columns, from the first on, are grouped by. */
function selectSql(
  columns: readonly { readonly sql: string; readonly name: string }[],
  from: string,
  conditions: readonly string[],
  grouped: number,
  { dialect }: CompileContext,
): string {
  const keys = columns.slice(0, grouped).map(({ sql }, at) => (dialect.groupsByExpression ? sql : String(at + 1)));
  return [
    `SELECT ${columns.map(({ sql, name }) => `${sql} AS ${name}`).join(", ")}`,
    `FROM ${from}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join("\n  AND ")}`] : []),
    ...(grouped > 0 ? [`GROUP BY ${keys.join(", ")}`] : []),
  ].join("\n");
}

/** What a measure aggregates; undefined: rows. */
function inputOf({ measure: { expr, filter } }: Leaf, rows: JoinedRows): string | undefined {
  if (filter === undefined) return expr === undefined ? undefined : rows.expression(expr);
  return rows.expression(`CASE WHEN ${filter} THEN ${expr ?? "1"} END`);
}

function aggregateSql(
  { measure, metric }: Leaf,
  input: string | undefined,
  { dialect, fault }: CompileContext,
): string {
  const value = input ?? "*";
  switch (measure.aggregation) {
    case "sum":
      return dialect.total?.(value) ?? `SUM(${value})`;
    case "count":
      return `COUNT(${value})`;
    case "count_distinct":
      return `COUNT(DISTINCT ${value})`;
    case "average":
      return dialect.mean?.(value) ?? `AVG(${value})`;
    case "min":
      return `MIN(${value})`;
    case "max":
      return `MAX(${value})`;
    case "sum_boolean":
      return `COUNT(CASE WHEN ${value} THEN 1 END)`;
    case "median":
    case "percentile": {
      const written = dialect.percentile?.(value, measure.aggregation === "median" ? 0.5 : (measure.percentile ?? 0.5));
      if (!written) fault(`${metric}: ${dialect.name} has no exact percentile`);
      return written ?? "NULL";
    }
  }
}

function conditionsOf(
  { filters }: ModelQuery,
  where: ModelQuery["where"],
  first: Leaf,
  rows: JoinedRows,
  context: CompileContext,
): readonly string[] {
  const named = filters.flatMap(({ name, negated }) => {
    const found = context.model.filters.find((filter) => filter.name === name);
    if (!found) return [];
    // Rows for which the condition is unknown do not fulfil it.
    const condition = rows.condition(found.expr);
    if (!negated) return [condition];
    return [context.dialect.notTrue?.(condition) ?? `(${condition}) IS NOT TRUE`];
  });
  const own = where.map((condition) => {
    const { sql, dimension } = referenceSql(condition, first, rows, context);
    return conditionSql(sql, dimension?.type ?? "text", condition, context);
  });
  return [...first.filters.map((filter) => rows.condition(filter)), ...named, ...own];
}

/** The column of a dimension, or of the measure's own time. */
function referenceSql(
  { dimension: reference, via }: DimensionReference,
  leaf: Leaf,
  rows: JoinedRows,
  { model, fault }: CompileContext,
): { readonly sql: string; readonly dimension: Dimension | undefined } {
  if (reference !== METRIC_TIME) {
    const [dataset, name] = splitName(reference);
    return { sql: rows.dimension(dataset, name, via), dimension: findDimension(model, reference)?.dimension };
  }
  const time = timeOf(model, leaf);
  if (!time) fault(`${METRIC_TIME}: measure ${leaf.dataset.name}.${leaf.measure.name} has no time dimension`);
  const sql = time ? rows.dimension(time.dataset.name, time.dimension.name) : "NULL";
  return { sql, dimension: time?.dimension };
}

function groupingSql(grouping: Grouping, leaf: Leaf, rows: JoinedRows, context: CompileContext): string {
  const { sql } = referenceSql(grouping, leaf, rows, context);
  return grouping.grain ? context.dialect.truncate(grouping.grain, sql) : sql;
}
