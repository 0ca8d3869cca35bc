import { tableKey } from "#warehouse";
import type { FoundValue, SemanticModel } from "../contract.ts";
import { describeJoins, describeTable } from "../plan/describe-schema.ts";
import { type QuestionSignals, type RankedTable, rankTables } from "./rank-tables.ts";
import { schemaIndexOf } from "./schema-index.ts";

/** What the schema may take of a prompt, in tokens. */
export const SCHEMA_TOKENS = 8_000;
/** Characters of a token of names and SQL, by a careful estimate. */
const CHARACTERS = 3;
/** Columns of a table that are told in full when a schema is too large to be told whole. */
const DETAILED_COLUMNS = 30;
/** Of these, keys and columns that the question does not name, at least. */
const MIN_OTHERS = 6;
/** Tables whose joins with each other are completed. */
const JOINED_TABLES = 4;
/** Joins between two chosen tables, at most. */
const MAX_HOPS = 3;

/** Tokens that a text takes, by a careful estimate. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS);
}

/**
 * The part of a model that a question needs (CA-38): all of it where a prompt has room for it; else the tables that its words, values,
 * earlier questions and authored statements point to, with those that join them. Columns get the values that the question names.
 */
export function relevantModel(
  model: SemanticModel,
  signals: Omit<QuestionSignals, "found">,
  maxTokens = SCHEMA_TOKENS,
): SemanticModel {
  const found = model.valuesIn?.([signals.question, ...signals.earlier].join(" \n ")) ?? [];
  if (schemaTokens(model, maxTokens) <= maxTokens) return withFoundValues(model, found);
  const ranked = rankTables(model, { ...signals, found });
  const chosen = chooseWithin(model, ranked, maxTokens);
  const tables = [...chosen.keys()]
    .toSorted((one, other) => one - other)
    .flatMap((number) => {
      const [table, columns] = [model.tables[number], chosen.get(number)];
      return table && columns ? [{ ...table, detailed: columns }] : [];
    });
  const paths = new Set(tables.map(({ schema }) => tableKey(schema.path)));
  const relationships = model.relationships.filter(
    ({ left, right }) => paths.has(tableKey(left)) && paths.has(tableKey(right)),
  );
  const left = model.tables.length - tables.length;
  return withFoundValues({ ...model, tables, relationships, left }, found);
}

const sizes = new WeakMap<SemanticModel, number>();

/** Tokens of all tables and joins, counted once, and no further than `maxTokens`. */
function schemaTokens(model: SemanticModel, maxTokens: number): number {
  const known = sizes.get(model);
  if (known !== undefined) return known;
  let size = 0;
  for (const table of model.tables) {
    if (size > maxTokens) break;
    size += estimateTokens(describeTable(table, model.source)) + 1;
  }
  if (size <= maxTokens) for (const line of describeJoins(model)) size += estimateTokens(line) + 1;
  sizes.set(model, size);
  return size;
}

/** Tables that are tried, at most: what is ranked lower fits by chance only. */
const TRIED_TABLES = 150;

/** Takes tables in the order of their rank, each with the tables between it and the first ones, while there is room. */
function chooseWithin(model: SemanticModel, ranked: readonly RankedTable[], maxTokens: number) {
  const chosen = new Map<number, ReadonlySet<string>>();
  const named = new Map(ranked.map(({ table, columns }) => [table, columns]));
  let left = maxTokens;
  const take = (number: number) => {
    const table = model.tables[number];
    if (!table || chosen.has(number)) return;
    const columns = detailedColumns(model, number, named.get(number) ?? new Set());
    const cost =
      estimateTokens(describeTable({ ...table, detailed: columns }, model.source)) + joinTokens(model, number);
    if (cost > left) return;
    left -= cost;
    chosen.set(number, columns);
  };
  ranked.slice(0, TRIED_TABLES).forEach(({ table }, rank) => {
    if (left < maxTokens / 100) return;
    take(table);
    const firsts = rank < JOINED_TABLES ? ranked.slice(0, rank) : [];
    for (const first of firsts) for (const between of pathBetween(model, first.table, table)) take(between);
  });
  return chosen;
}

/** What the joins of a table may cost, as if all of them were told. */
function joinTokens(model: SemanticModel, number: number): number {
  const joins = schemaIndexOf(model).neighbours[number]?.filter(({ referenced }) => referenced).length ?? 0;
  return joins * 25;
}

/** The columns that the question names, keys, columns of joins and of time, and the first ones. */
function detailedColumns(model: SemanticModel, number: number, named: ReadonlySet<string>): ReadonlySet<string> {
  const { schema, columns = [] } = model.tables[number] ?? {};
  const times = columns.filter(({ range }) => range !== undefined).map(({ name }) => name);
  const joined = schemaIndexOf(model).joinColumns[number] ?? [];
  const wanted = [...named].slice(0, DETAILED_COLUMNS - MIN_OTHERS);
  const others = [...(schema?.primaryKey ?? []), ...joined, ...times, ...columns.map(({ name }) => name)];
  return new Set([...new Set([...wanted, ...others])].slice(0, DETAILED_COLUMNS));
}

/** The tables between two tables on a shortest path of joins; none without one. */
function pathBetween(model: SemanticModel, from: number, to: number): readonly number[] {
  const { neighbours } = schemaIndexOf(model);
  const cameFrom = new Map<number, number>([[from, -1]]);
  let front = [from];
  for (let hop = 0; hop < MAX_HOPS && front.length > 0 && !cameFrom.has(to); hop++) {
    const next: number[] = [];
    for (const table of front) {
      for (const { table: other } of neighbours[table] ?? []) {
        if (cameFrom.has(other)) continue;
        cameFrom.set(other, table);
        next.push(other);
      }
    }
    front = next;
  }
  const path: number[] = [];
  for (let at = cameFrom.get(to) ?? -1; at >= 0 && at !== from; at = cameFrom.get(at) ?? -1) path.push(at);
  return path;
}

/** Values of columns with many that the question names. Columns with few have theirs. */
function withFoundValues(model: SemanticModel, found: readonly FoundValue[]): SemanticModel {
  if (found.length === 0) return model;
  const byTable = Map.groupBy(found, ({ table }) => tableKey(table));
  let changed = false;
  const tables = model.tables.map((table) => {
    const own = Map.groupBy(byTable.get(tableKey(table.schema.path)) ?? [], ({ column }) => column);
    if (!table.columns.some(({ name, values }) => !values && own.has(name))) return table;
    changed = true;
    const columns = table.columns.map((column) => {
      const values = column.values ? undefined : own.get(column.name);
      return values ? { ...column, found: [...new Set(values.map(({ value }) => value))] } : column;
    });
    return { ...table, columns };
  });
  return changed ? { ...model, tables } : model;
}
