import type { SemanticModel } from "#analytics";
import { tokenize } from "#analytics";
import type { InterpretedQuery } from "./interpreter.ts";
import { lexiconOf } from "./lexicon/build-lexicon.ts";
import { isKey, isNumeric } from "./lexicon/meaning.ts";
import { spokenName, spokenTable } from "./lexicon/table-words.ts";
import { readItems } from "./parse/read-items.ts";
import { chooseMeaning } from "./query/choose-meaning.ts";
import { joinsOf } from "./query/join-graph.ts";
import { snake } from "./query/labels.ts";
import { type ColumnRef, EMPTY_QUERY, type Measure } from "./query/semantic-query.ts";
import { baseTable } from "./sql/base-table.ts";
import { expressionsOver } from "./sql/expressions.ts";
import { fromClause } from "./sql/from-clause.ts";

/** Rows that a statistic is computed from at most. */
const MOST_ROWS = 100_000;

/** The values of columns, row by row, for statistics; undefined where a name is no number of a row, or no join leads there. */
export function columnValues(names: readonly string[], model: SemanticModel, now: Date): InterpretedQuery | undefined {
  const mentioned: string[] = [];
  const warnings: string[] = [];
  const columns: ColumnRef[] = [];
  for (const name of names) {
    const found = numberColumn(name, mentioned, model, now);
    if (!found) return undefined;
    columns.push(found.column);
    mentioned.push(spokenTable(found.column.table));
    if (found.warning) warnings.push(found.warning);
  }
  const measures = columns.map((column): Measure => ({ kind: "aggregate", fn: "sum", ...column }));
  const base = baseTable({ ...EMPTY_QUERY, measures }, [], model);
  if (!base) return undefined;
  const from = fromClause(base, model, new Set());
  const write = expressionsOver(from, base, model);
  const labels = columns.map(({ table, column }) => snake(spokenName(table, column)));
  const parts = columns.map((column, at) => `${write.column(column)} AS ${model.source.quoteName(labels[at] ?? "")}`);
  const order = columns.map((_, at) => String(at + 1)).join(", ");
  return {
    name: labels.join("_and_"),
    sql: `SELECT ${parts.join(",\n  ")}\n${from.text()}\nORDER BY ${order}\nLIMIT ${MOST_ROWS}`,
    understanding: `${labels.map((label) => label.replaceAll("_", " ")).join(" and ")} of each of the ${spokenTable(base)}.`,
    warnings,
    ...(labels.length > 1 && { chart: { mark: "scatter" as const, x: labels[0] ?? "", y: labels[1] ?? "" } }),
    followUps: [],
  };
}

/** The one number that a phrase names, and nothing else. */
function numberColumn(name: string, mentioned: readonly string[], model: SemanticModel, now: Date) {
  const [item, ...more] = readItems(tokenize(name), lexiconOf(model), now);
  if (item?.kind !== "ref" || more.length > 0) return undefined;
  const numbers = item.meanings.filter(
    (meaning) => meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column),
  );
  const chosen = chooseMeaning(item.text, numbers, mentioned, joinsOf(model));
  if (chosen?.meaning.kind !== "column") return undefined;
  const { table, column } = chosen.meaning;
  return { column: { table, column }, warning: chosen.warning };
}
