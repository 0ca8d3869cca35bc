import { replaceReferences } from "../expression/sql-tokens.ts";
import { findDataset } from "../model/find.ts";
import type { Dataset, Dimension, ModelDefinition } from "../model/model.ts";
import type { ModelDialect } from "./dialect.ts";
import { isConnected, type JoinPath, joinPaths } from "./join-paths.ts";

/** What a statement is written with. */
export interface CompileContext {
  readonly model: ModelDefinition;
  readonly dialect: ModelDialect;
  /** The table of a dataset, quoted. */
  readonly tableOf: (dataset: Dataset) => string;
  /** Takes what cannot be compiled, by name; compilation goes on, so that all faults are told at once. */
  readonly fault: (message: string) => void;
}

/** The rows of one dataset with what is joined to them, each row once. */
export interface JoinedRows {
  /** A dimension of this dataset or of one that is joined. */
  dimension(dataset: string, name: string, via?: string): string;
  /** An expression over the columns of the dataset itself. */
  expression(expr: string): string;
  /** A condition with references to dimensions. */
  condition(expr: string): string;
  /** What stands behind FROM. */
  from(): string;
}

interface Source {
  readonly dataset: Dataset;
  readonly alias: string;
  /** Names of the columns that are used, by their expressions. */
  readonly columns: Map<string, string>;
  readonly on?: () => string;
}

/** Begins with the rows of `root` alone: each dimension that is asked for joins what it needs. */
export function joinedRows(root: Dataset, context: CompileContext): JoinedRows {
  const { model, dialect, fault } = context;
  const sources = new Map<string, Source>([["", { dataset: root, alias: "r0", columns: new Map() }]]);

  function sourceAt(path: JoinPath): Source {
    const key = path.map(({ relationship }) => relationship.name).join("\n");
    const known = sources.get(key);
    const step = path.at(-1);
    if (known || !step) return known ?? (sources.get("") as Source);
    const parent = sourceAt(path.slice(0, -1));
    const source: Source = {
      dataset: findDataset(model, step.to) as Dataset,
      alias: `r${sources.size}`,
      columns: new Map(),
      on: () => step.columns.map(([own, other]) => `${keyOf(parent, own)} = ${keyOf(source, other)}`).join(" AND "),
    };
    sources.set(key, source);
    source.on?.();
    return source;
  }

  const keyOf = (source: Source, column: string) =>
    columnOf(source, column.startsWith("${") ? expand(column, source.dataset, dialect) : dialect.quote(column));

  function dimension(dataset: string, name: string, via?: string): string {
    const path = pathTo(root, dataset, via, `${dataset}.${name}`, context);
    const found = findDataset(model, dataset)?.dimensions.find((one) => one.name === name);
    if (!path || !found) {
      if (!found) fault(`dimension ${dataset}.${name} does not exist`);
      return "NULL";
    }
    const source = sourceAt(path);
    return columnOf(source, dimensionSql(found, source.dataset, dialect));
  }

  return {
    dimension,
    expression: (expr) => columnOf(sources.get("") as Source, expand(expr, root, dialect)),
    condition: (expr) => `(${replaceReferences(expr, ({ dataset, name }) => dimension(dataset ?? root.name, name))})`,
    from: () =>
      [...sources.values()]
        .map((source) => {
          const rows = `${rowsOf(source, context)} AS ${source.alias}`;
          return source.on ? `LEFT JOIN ${rows} ON ${source.on()}` : rows;
        })
        .join("\n  "),
  };
}

function columnOf({ alias, columns }: Source, sql: string): string {
  const name = columns.get(sql) ?? `c${columns.size + 1}`;
  columns.set(sql, name);
  return `${alias}.${name}`;
}

/** Expressions are evaluated beside the columns of their own table alone, so that no name is ambiguous. */
function rowsOf({ dataset, columns }: Source, { dialect, tableOf }: CompileContext): string {
  const selected = [...columns].map(([sql, name]) => `${sql} AS ${name}`);
  const table = dataset.sql === undefined ? tableOf(dataset) : `(${dataset.sql})`;
  return `(SELECT ${selected.join(", ") || "1 AS c0"} FROM ${table} AS ${dialect.quote(dataset.name)})`;
}

/** The one way to a dataset; a fault where there is none, or several. */
function pathTo(
  root: Dataset,
  dataset: string,
  via: string | undefined,
  wanted: string,
  { model, fault }: CompileContext,
): JoinPath | undefined {
  if (dataset === root.name && via === undefined) return [];
  const all = joinPaths(model, root.name, dataset);
  const paths = via === undefined ? all : all.filter((path) => path.some((step) => step.relationship.name === via));
  if (paths.length === 1) return paths[0];
  if (paths.length === 0) fault(unreachable(root.name, dataset, via, wanted, model));
  else {
    const ways = paths.map((path) => path.map(({ relationship }) => relationship.name).join(" > "));
    fault(`${wanted}: several joins lead from ${root.name} to ${dataset} (${ways.join("; ")}); say which by via`);
  }
  return undefined;
}

/** (SEM-3) */
function unreachable(
  from: string,
  to: string,
  via: string | undefined,
  wanted: string,
  model: ModelDefinition,
): string {
  if (via !== undefined) return `${wanted}: relationship ${via} does not lead from ${from} to ${to}`;
  return isConnected(model, from, to)
    ? `${wanted} cannot be combined with measures of ${from}: one row of ${from} has several of ${to}, so its values would be counted more than once (fan-out)`
    : `${wanted} cannot be combined with measures of ${from}: no relationship leads from ${from} to ${to}`;
}

/** The expression of a dimension, over the columns of its table. */
function dimensionSql(dimension: Dimension, dataset: Dataset, dialect: ModelDialect): string {
  const expr = dimension.dialects?.[dialect.spelling] ?? dimension.expr;
  return expr === undefined ? dialect.quote(dimension.name) : expand(expr, dataset, dialect);
}

/** Dimensions that an expression refers to are put into it. */
function expand(expr: string, dataset: Dataset, dialect: ModelDialect): string {
  return replaceReferences(expr, ({ name }) => {
    const found = dataset.dimensions.find((dimension) => dimension.name === name);
    return found ? `(${dimensionSql(found, dataset, dialect)})` : dialect.quote(name);
  });
}
