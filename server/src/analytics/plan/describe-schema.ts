import type { SqlSource } from "#warehouse";
import type { SemanticColumn, SemanticModel, SemanticTable } from "../contract.ts";

/** Values of a column in the prompt, at most. */
const SHOWN_VALUES = 12;
/** Values of a column that has too many to list, as examples. */
const SAMPLE_VALUES = 3;
/** Characters of a value in the prompt, at most. */
const MAX_VALUE_LENGTH = 60;
/** Characters of all values of a column, at most. */
const MAX_VALUES_LENGTH = 200;
/** Columns of a wide table that are named without their type and values, at most. */
const NAMED_COLUMNS = 150;

/** A table as a language model reads it: name, notes, key, columns with types, values and ranges, measures. */
export function describeTable(table: SemanticTable, source: Pick<SqlSource, "quoteTable">): string {
  const { schema, synonyms, tags, columns, measures, detailed } = table;
  const notes = [
    schema.description ?? "",
    synonyms.length > 0 ? `also called ${synonyms.join(", ")}` : "",
    tags.length > 0 ? `tags ${tags.join(", ")}` : "",
    schema.primaryKey ? `key ${schema.primaryKey.join(", ")}${table.keyProposed ? " (found by its values)" : ""}` : "",
  ].filter(Boolean);
  const shown = detailed ? columns.filter(({ name }) => detailed.has(name)) : columns;
  const others = detailed ? columns.filter(({ name }) => !detailed.has(name)).map(({ name }) => name) : [];
  const more = others.length > NAMED_COLUMNS ? ", …" : "";
  return [
    `${source.quoteTable(schema.path)}${notes.length > 0 ? `: ${notes.join("; ")}` : ""}`,
    ...shown.map(describeColumn),
    ...(others.length > 0 ? [`  more columns: ${others.slice(0, NAMED_COLUMNS).join(", ")}${more}`] : []),
    ...measures.map(({ name, expression }) => `  measure ${name} = ${expression}`),
  ].join("\n");
}

function describeColumn({ name, type, description, synonyms, tags, range, ...values }: SemanticColumn): string {
  const notes = [
    description,
    synonyms.length > 0 ? `also ${synonyms.join(", ")}` : "",
    tags.length > 0 ? `tags ${tags.join(", ")}` : "",
    ...describeValues(values),
    range ? `from ${range.first} to ${range.last}` : "",
  ]
    .filter(Boolean)
    .join("; ");
  return `  ${name} ${type}${notes ? ` (${notes})` : ""}`;
}

/** Values that the question names come first: they are what a condition is written with. */
function describeValues({
  values,
  samples,
  found,
}: Pick<SemanticColumn, "values" | "samples" | "found">): readonly string[] {
  const named = found && found.length > 0 ? [`has ${found.map(quote).join(", ")}`] : [];
  if (values) return [...named, `values: ${listed(values, SHOWN_VALUES)}`];
  if (!samples || samples.length === 0) return named;
  return [...named, `many values, such as ${listed(samples, SAMPLE_VALUES)}`];
}

/** As many values as there is room for. */
function listed(values: readonly string[], most: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const value of values.slice(0, most)) {
    length += value.length;
    if (shown.length > 0 && length > MAX_VALUES_LENGTH) break;
    shown.push(quote(value));
  }
  return `${shown.join(", ")}${values.length > shown.length ? ", …" : ""}`;
}

function quote(value: string): string {
  return JSON.stringify(value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value);
}

/** One line a join, as equations of columns. */
export function describeJoins({ relationships }: Pick<SemanticModel, "relationships">): readonly string[] {
  return relationships.map(({ left, leftColumns, right, rightColumns, proposed = false }) => {
    const pairs = leftColumns.map((column, at) => `${left.at(-1)}.${column} = ${right.at(-1)}.${rightColumns[at]}`);
    return `${pairs.join(" AND ")}${proposed ? " (found by names and values, not declared)" : ""}`;
  });
}
