import { splitName } from "../model/find.ts";
import type { Dataset, ModelDefinition } from "../model/model.ts";
import { METRIC_TIME, ModelFault, type ModelQuery } from "../query/model-query.ts";
import type { ModelDialect } from "./dialect.ts";
import type { CompileContext } from "./joined-rows.ts";
import { groupSql, type MeasureGroup, measureGroups } from "./measure-group.ts";
import { type Leaf, resolveMetrics } from "./resolve-metrics.ts";
import { queryFaults } from "./validate-query.ts";

/** A statement, and its columns: groupings first, then metrics, as the query names them. */
export interface CompiledQuery {
  readonly sql: string;
  readonly columns: readonly string[];
}

export interface CompileTarget {
  readonly dialect: ModelDialect;
  /** The table of a dataset, quoted. */
  readonly tableOf: (dataset: Dataset) => string;
}

/** Compiles a query to one statement: the same query, the same statement. Throws `ModelFault` with all faults (SEM-2). */
export function compileQuery(model: ModelDefinition, query: ModelQuery, target: CompileTarget): CompiledQuery {
  const faults = new Set(queryFaults(query, model));
  if (faults.size > 0) throw new ModelFault([...faults]);
  const context: CompileContext = { ...target, model, fault: (message) => void faults.add(message) };
  const { leaves, expressions } = resolveMetrics(query.metrics, context);
  const groups = measureGroups(leaves);
  const statements = groups.map((group) => groupSql(group, query, context));
  if (faults.size > 0) throw new ModelFault([...faults]);
  const columns = columnNames(query);
  const { quote } = target.dialect;
  const selected = [...query.groupBy.map((_, at) => `d${at + 1}`), ...expressions].map(
    (sql, at) => `${sql} AS ${quote(columns[at] ?? "")}`,
  );
  const sql = [
    "WITH",
    [
      ...statements.map((statement, at) => `g${at + 1} AS (\n${statement}\n)`),
      ...(groups.length > 1 ? [`a AS (\n${combinedSql(groups, query, context)}\n)`] : []),
    ].join(",\n"),
    `SELECT ${selected.join(", ")}`,
    `FROM ${groups.length > 1 ? "a" : "g1"}`,
    ...havingSql(query, expressions),
    ...orderSql(query, expressions),
    ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
  ].join("\n");
  return { sql, columns };
}

/** Groups of rows that any measure has, each with the values of all measures. */
function combinedSql(groups: readonly MeasureGroup[], { groupBy }: ModelQuery, { dialect }: CompileContext): string {
  const dimensions = groupBy.map((_, at) => `d${at + 1}`);
  const leaves = groups.flatMap((group) => group.leaves);
  const branches = groups.map((group, at) => {
    const own = new Set<Leaf>(group.leaves);
    const values = leaves.map((leaf) =>
      own.has(leaf) ? leaf.column : `${dialect.nothing(typeOf(leaf))} AS ${leaf.column}`,
    );
    return `SELECT ${[...dimensions, ...values].join(", ")} FROM g${at + 1}`;
  });
  const selected = [...dimensions, ...leaves.map(({ column }) => `MAX(${column}) AS ${column}`)];
  return [
    `SELECT ${selected.join(", ")} FROM (`,
    branches.join("\nUNION ALL\n"),
    `) AS u${dimensions.length > 0 ? ` GROUP BY ${dimensions.join(", ")}` : ""}`,
  ].join("\n");
}

function typeOf({ measure: { aggregation, type } }: Leaf) {
  return aggregation === "min" || aggregation === "max" ? (type ?? "number") : "number";
}

function havingSql({ having, metrics }: ModelQuery, expressions: readonly string[]): readonly string[] {
  if (having.length === 0) return [];
  const conditions = having.map(({ metric, operator, value }) => {
    const sql = expressions[metrics.indexOf(metric)];
    return operator === "!=" ? `(${sql} IS NULL OR ${sql} <> ${value})` : `${sql} ${operator} ${value}`;
  });
  return [`WHERE ${conditions.join(" AND ")}`];
}

/** What has no value comes last, in each engine; ends with all groupings, so that the order is one. */
function orderSql({ orderBy, groupBy, metrics }: ModelQuery, expressions: readonly string[]): readonly string[] {
  const terms = orderBy.map(({ by, descending = false }) => {
    const at = groupBy.findIndex(({ dimension }) => dimension === by);
    return { sql: at < 0 ? (expressions[metrics.indexOf(by)] ?? "") : `d${at + 1}`, descending };
  });
  const timed = groupBy.some(({ grain }) => grain);
  const [first] = expressions;
  const byDefault = timed || groupBy.length === 0 || !first ? [] : [{ sql: first, descending: true }];
  const all = [
    ...(terms.length > 0 ? terms : byDefault),
    ...groupBy.map((_, at) => ({ sql: `d${at + 1}`, descending: false })),
  ];
  const distinct = all.filter(({ sql }, at) => all.findIndex((other) => other.sql === sql) === at);
  if (groupBy.length === 0) return [];
  return [
    `ORDER BY ${distinct.map(({ sql, descending }) => `${sql} IS NULL, ${sql}${descending ? " DESC" : ""}`).join(", ")}`,
  ];
}

/** Short where that is clear: the name of the dimension with its grain; with its dataset where two would be the same. */
function columnNames({ groupBy, metrics }: ModelQuery): readonly string[] {
  const short = groupBy.map(({ dimension, grain }) => {
    if (dimension === METRIC_TIME) return grain ?? dimension;
    const [, name] = splitName(dimension);
    return grain ? `${name}_${grain}` : name;
  });
  const names = groupBy.map(({ dimension, grain, via }, at) => {
    const name = short[at] ?? "";
    const clashes =
      short.filter((other) => other.toLowerCase() === name.toLowerCase()).length > 1 || metrics.includes(name);
    return clashes
      ? [...(via ? [via] : []), dimension.replaceAll(".", "_"), ...(grain ? [grain] : [])].join("_")
      : name;
  });
  return [...names, ...metrics];
}
