import type { SemanticModel } from "#analytics";
import { displayColumn, tableLabel } from "../lexicon/names.ts";
import { toSnakeCase } from "../query/labels.ts";
import type { Existence, Filter } from "../query/semantic-query.ts";
import { dialectFunctions, limitSql } from "./dialect.ts";
import { expressionsOver, occurrenceSql } from "./expressions.ts";
import { fromClause } from "./from-clause.ts";

/** The limit of a list. */
const MAX_ROWS = 1000;

/** An existence query as semi-joins and anti-joins; undefined where the subject has no key of one column. */
export function existenceSql(
  { subject, counted, occurrences }: Existence,
  filters: readonly Filter[],
  model: SemanticModel,
  today: string,
): string | undefined {
  const [key, ...more] = subject.schema.primaryKey ?? [];
  if (key === undefined || more.length > 0) return undefined;
  const { quoteName } = model.source;
  const from = fromClause(subject, model, new Set());
  const write = expressionsOver(from, subject, model, today);
  const alias = quoteName(from.alias(subject) ?? "");
  const conditions = [
    ...filters.map(write.filter),
    ...occurrences.map(
      (one) => `${alias}.${quoteName(key)} ${occurrenceSql(one, { table: subject, name: key }, model, today)}`,
    ),
  ];
  const where = `WHERE ${conditions.join("\n  AND ")}`;
  if (counted) {
    return `SELECT count(*) AS ${quoteName(`number_of_${toSnakeCase(tableLabel(subject))}`)}\n${from.text()}\n${where}`;
  }
  const shown = displayColumn(subject)?.name ?? key;
  const order = [...new Set([shown, key])].map((name) => `${alias}.${quoteName(name)}`).join(", ");
  return `SELECT ${alias}.*\n${from.text()}\n${where}\nORDER BY ${order}\n${limitSql(dialectFunctions(model.source.dialect), MAX_ROWS)}`;
}
