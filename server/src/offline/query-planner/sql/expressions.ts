import type { SemanticModel, SemanticTable } from "#analytics";
import { percentOf } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { displayColumn } from "../lexicon/names.ts";
import type { Filter, Measure, Occurrence } from "../query/semantic-query.ts";
import type { Period } from "../time/period.ts";
import { defaultTimeColumn } from "./base-table.ts";
import { computedSql } from "./computed-sql.ts";
import { aggregateSql, type DialectFunctions, dialectFunctions, valueSql } from "./dialect.ts";
import { type FromClause, fromClause } from "./from-clause.ts";

/** Writes the expressions of one statement; the use of a table joins it. */
export interface Expressions {
  column(ref: ColumnRef): string;
  /** Undefined where rows would count more than once. */
  measure(measure: Measure): string | undefined;
  /** The key of a table's rows, and their display column. */
  entity(table: SemanticTable): { readonly keys: readonly string[]; readonly shown: string };
  filter(filter: Filter): string;
  period(period: Period, ref: ColumnRef): readonly string[];
}

/** Expressions over a FROM clause that begins with `base`. `today`: the day of the question. */
export function expressionsOver(
  from: FromClause,
  base: SemanticTable,
  model: SemanticModel,
  today: string,
): Expressions {
  const { source, tables } = model;
  const { quoteName } = source;
  const words = dialectFunctions(source.dialect);
  const { column, ownColumn } = columnsOver(from, source, words, today);
  const keyOf = (table: SemanticTable) => table.schema.primaryKey ?? [];
  const named = (table: SemanticTable, name: string) => `${quoteName(from.alias(table) ?? "")}.${quoteName(name)}`;

  /** A row of another table may belong to many rows of the base table: it is counted by its key. */
  function rows(table: SemanticTable): string | undefined {
    if (table === base) return "count(*)";
    const [key, ...more] = keyOf(table);
    return key !== undefined && more.length === 0 ? `count(DISTINCT ${named(table, key)})` : undefined;
  }

  function aggregate(measure: Extract<Measure, { kind: "aggregate" }>): string | undefined {
    const value = column(measure);
    if (measure.fn === "distinct") return `count(DISTINCT ${value})`;
    if (measure.table !== base && !measure.each && measure.fn !== "min" && measure.fn !== "max") return undefined;
    return aggregateOf(measure, value, words);
  }

  /** The author's expression with qualified columns. */
  const authored = (table: SemanticTable, expression: string) =>
    table === base ? qualify(expression, table, tables, named) : undefined;

  function ratio({ of, per }: Extract<Measure, { kind: "ratio" }>): string | undefined {
    // A table with many rows for each of its rows would be counted once over all: "products per order" of ten products in a thousand orders.
    if (of.kind === "rows" && of.table !== base && of.table !== per) return undefined;
    const [total, count] = [measure(of), rows(per)];
    return total && count && words.ratio(total, count);
  }

  function rate(one: Extract<Measure, { kind: "rate" }>): string | undefined {
    const all = rows(one.table);
    if (all === undefined) return undefined;
    const isBase = one.table === base;
    const some = `count(${isBase ? "" : "DISTINCT "}CASE WHEN ${column(one)} = ${valueSql(words, one.column, one.value)} THEN ${isBase ? "1" : named(one.table, keyOf(one.table)[0] ?? "")} END)`;
    // Of rows that are neither late nor on time nothing is known.
    const whole = computedOf(one.column) && isBase ? `count(${column(one)})` : all;
    return words.rounded(`100.0 * ${some} / nullif(${whole}, 0)`);
  }

  function measure(one: Measure): string | undefined {
    switch (one.kind) {
      case "rows":
        return rows(one.table);
      case "aggregate":
        return aggregate(one);
      case "named":
        return authored(one.table, one.measure.expression);
      case "ratio":
        return ratio(one);
      case "combined":
        return combined(one, measure, words);
      case "rate":
        return rate(one);
    }
  }

  return {
    column,
    measure,
    entity(table) {
      const keys = keyOf(table).map((name) => named(table, name));
      const display = displayColumn(table);
      const shown = display ? named(table, display.name) : (keys[0] ?? named(table, table.columns[0]?.name ?? ""));
      return { keys, shown };
    },
    filter: filtersOver({ column, ownColumn }, words, model, today),
    period: (period, ref) => periodTexts(period, column(ref), ref, words),
  };
}

function aggregateOf(
  { fn, column }: Extract<Measure, { kind: "aggregate" }>,
  value: string,
  words: DialectFunctions,
): string | undefined {
  const percent = percentOf(fn);
  if (percent !== undefined) return words.percentile?.(value, percent);
  return fn === "median" ? words.median?.(value) : aggregateSql(words, fn, value, column.type);
}

/** One measure with another; undefined where rows of either would count more than once. */
function combined(
  { by, left, right }: Extract<Measure, { kind: "combined" }>,
  write: (measure: Measure) => string | undefined,
  words: DialectFunctions,
): string | undefined {
  const [one, other] = [write(left), write(right)];
  if (!one || !other) return undefined;
  if (by === "/") return words.ratio(one, other);
  if (by === "%") return words.rounded(`100.0 * ${one} / nullif(${other}, 0)`);
  return `(coalesce(${one}, 0) ${by} coalesce(${other}, 0))`;
}

/** Conditions on rows of the statement, some of which have a statement of their own. */
function filtersOver(
  { column, ownColumn }: ReturnType<typeof columnsOver>,
  words: DialectFunctions,
  model: SemanticModel,
  today: string,
): (filter: Filter) => string {
  return (filter) => {
    if (filter.kind === "related") {
      const key = { table: filter.table, name: filter.column.name };
      return `${column(filter)} ${occurrenceSql(filter.occurrence, key, model, today)}`;
    }
    if (filter.kind !== "average") return filterText(filter, column(filter), words);
    const mean = aggregateSql(words, "avg", ownColumn(filter), filter.column.type);
    const all = model.source.quoteTable(filter.table.schema.path);
    return `${column(filter)} ${filter.comparison} (SELECT ${mean} FROM ${all})`;
  };
}

function periodTexts({ from, to }: Period, column: string, ref: ColumnRef, words: DialectFunctions): readonly string[] {
  return [
    ...(from ? [`${column} >= ${words.day(from, ref.column)}`] : []),
    ...(to ? [`${column} < ${words.day(to, ref.column)}`] : []),
  ];
}

/** Columns as expressions, those that are computed too: in the statement, and in one of their own table alone. */
function columnsOver(
  from: FromClause,
  { quoteName }: SemanticModel["source"],
  words: DialectFunctions,
  today: string,
): { column(ref: ColumnRef): string; ownColumn(ref: ColumnRef): string } {
  const over = (stored: (ref: ColumnRef) => string) => (ref: ColumnRef) => {
    const computed = computedOf(ref.column);
    return computed ? computedSql(computed, stored, words, today) : stored(ref);
  };
  return {
    column: over(({ table, column: { name } }) => `${quoteName(from.alias(table) ?? "")}.${quoteName(name)}`),
    ownColumn: over(({ column: { name } }) => quoteName(name)),
  };
}

function filterText(
  filter: Exclude<Filter, { kind: "average" | "related" }>,
  column: string,
  words: DialectFunctions,
): string {
  switch (filter.kind) {
    case "values": {
      const values = filter.values.map((value) => valueSql(words, filter.column, value));
      const chosen = values.length === 1 ? `= ${values[0]}` : `IN (${values.join(", ")})`;
      if (!filter.negated) return `${column} ${chosen}`;
      // Rows without a value are other ones, too; a comparison alone would leave them out.
      const others = values.length === 1 ? `<> ${values[0]}` : `NOT ${chosen}`;
      return `(${column} ${others} OR ${column} IS NULL)`;
    }
    case "compare":
      return `${column} ${filter.comparison} ${filter.value}`;
    case "between":
      return `${column} BETWEEN ${filter.low} AND ${filter.high}`;
    case "empty":
      if (filter.negated) return `${column} IS NOT NULL`;
      return filter.column.type === "STRING" ? `(${column} IS NULL OR ${column} = '')` : `${column} IS NULL`;
    case "contains":
      return filter.negated
        ? `(${words.contains(column, filter.text, true)} OR ${column} IS NULL)`
        : words.contains(column, filter.text, false);
  }
}

/** Whether a key of the subject is one of those with a related row, or none of them. */
export function occurrenceSql(
  { negated, fact, filters, period, atLeast }: Occurrence,
  { table: subject, name: key }: { readonly table: SemanticTable; readonly name: string },
  model: SemanticModel,
  today: string,
): string {
  const from = fromClause(fact, model, new Set());
  const write = expressionsOver(from, fact, model, today);
  const name = `${model.source.quoteName(from.alias(subject) ?? "")}.${model.source.quoteName(key)}`;
  const time = defaultTimeColumn(fact, model);
  const conditions = [
    `${name} IS NOT NULL`, // NOT IN a list with a NULL is never true
    ...filters.map(write.filter),
    ...(period && time ? write.period(period, time) : []),
  ];
  const several = atLeast === undefined ? "" : `\nGROUP BY ${name}\nHAVING count(*) >= ${atLeast}`;
  const text = `SELECT ${name}\n${from.text()}\nWHERE ${conditions.join(" AND ")}${several}`;
  return `${negated ? "NOT IN" : "IN"} (\n    ${text.replaceAll("\n", "\n    ")}\n  )`;
}

const IDENTIFIER = /'(?:[^']|'')*'|"[^"]+"(?:\."[^"]+")?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?(?!\w*\s*\()/g;

/** Qualifies the columns of an author's expression by the alias of their table; `orders.total` belongs to another table. */
function qualify(
  expression: string,
  own: SemanticTable,
  tables: readonly SemanticTable[],
  named: (table: SemanticTable, column: string) => string,
): string {
  return expression.replace(IDENTIFIER, (word) => {
    if (word.startsWith("'")) return word;
    const parts = word.split(".").map((part) => part.replaceAll('"', ""));
    const [first = "", second] = parts;
    if (second !== undefined) {
      const table = tables.find(({ schema }) => schema.path.at(-1)?.toLowerCase() === first.toLowerCase());
      return table ? named(table, second) : word;
    }
    const column = own.columns.find(({ name }) => name.toLowerCase() === first.toLowerCase());
    return column ? named(own, column.name) : word;
  });
}
