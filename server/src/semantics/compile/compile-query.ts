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

interface CompileTarget {
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
  const groups = measureGroups(leaves, model);
  const statements = groups.map((group) => groupSql(group, query, context));
  if (faults.size > 0) throw new ModelFault([...faults]);
  const columns = columnNames(query);
  const { quote } = target.dialect;
  const names = columns.map(quote);
  const selected = [...query.groupBy.map((_, at) => `d${at + 1}`), ...expressions].map(
    (sql, at) => `${sql} AS ${names[at]}`,
  );
  const ctes = [
    ...statements.map((statement, at) => `g${at + 1} AS (\n${statement}\n)`),
    ...(groups.length > 1 ? [`a AS (\n${combinedSql(groups, query, context)}\n)`] : []),
  ];
  const rows = [`FROM ${groups.length > 1 ? "a" : "g1"}`, ...havingSql(query, expressions)];
  const terms = orderTerms(query, expressions);
  const sql = ["WITH", ctes.join(",\n"), ...finalSql(query, target.dialect, { selected, names, rows, terms })].join(
    "\n",
  );
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

/** What decides the order: first what was asked for, then all groupings, so that there is one order. */
interface OrderTerms {
  readonly asked: readonly OrderTerm[];
  readonly all: readonly OrderTerm[];
}

interface OrderTerm {
  readonly sql: string;
  /** Position among the columns. */
  readonly column: number;
  readonly descending: boolean;
}

function orderTerms({ orderBy, groupBy, metrics }: ModelQuery, expressions: readonly string[]): OrderTerms {
  const grouping = (at: number, descending = false) => ({ sql: `d${at + 1}`, column: at, descending });
  const metric = (at: number, descending: boolean) => ({
    sql: expressions[at] ?? "",
    column: groupBy.length + at,
    descending,
  });
  const terms = orderBy.map(({ by, descending = false }) => {
    const at = groupBy.findIndex(({ dimension }) => dimension === by);
    return at < 0 ? metric(metrics.indexOf(by), descending) : grouping(at, descending);
  });
  const timed = groupBy.some(({ grain }) => grain);
  const groupings = groupBy.map((_, at) => grouping(at));
  const asked = terms.length > 0 ? terms : timed ? groupings : [metric(0, true)];
  const all = [...asked, ...groupings];
  return { asked, all: all.filter(({ column }, at) => all.findIndex((other) => other.column === column) === at) };
}

/** What has no value comes last, in each engine. */
function orderBySql(
  terms: readonly OrderTerm[],
  { nullsLast = (value) => `${value} IS NULL, ${value}` }: Pick<ModelDialect, "nullsLast">,
  sqlOf: (term: OrderTerm) => string,
): string {
  return terms.map((term) => `${nullsLast(sqlOf(term))}${term.descending ? " DESC" : ""}`).join(", ");
}

/** The first rows of an order are given with those that are equal to the last of them (SEM-9). */
function finalSql(
  { groupBy, limit }: ModelQuery,
  dialect: ModelDialect,
  parts: {
    readonly selected: readonly string[];
    readonly names: readonly string[];
    readonly rows: readonly string[];
    readonly terms: OrderTerms;
  },
): readonly string[] {
  const { selected, names, rows, terms } = parts;
  if (groupBy.length === 0) return [`SELECT ${selected.join(", ")}`, ...rows];
  const ordered = (sqlOf: (term: OrderTerm) => string) => orderBySql(terms.all, dialect, sqlOf);
  if (limit === undefined) return [`SELECT ${selected.join(", ")}`, ...rows, `ORDER BY ${ordered(({ sql }) => sql)}`];
  const rank = `RANK() OVER (ORDER BY ${orderBySql(terms.asked, dialect, ({ sql }) => sql)}) AS ranking`;
  return [
    `SELECT ${names.join(", ")} FROM (`,
    `SELECT ${[...selected, rank].join(", ")}`,
    ...rows,
    `) AS r WHERE ranking <= ${limit}`,
    `ORDER BY ${ordered(({ column }) => names[column] ?? "")}`,
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
