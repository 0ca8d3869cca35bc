import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { tableLabel } from "../lexicon/names.ts";
import { measureLabel, toSnakeCase } from "../query/labels.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";
import { undeclaredJoins } from "../responses/caveats.ts";
import { add, isoDay } from "../time/period.ts";
import { defaultTimeColumn } from "./base-table.ts";
import { clause, nested } from "./clause.ts";
import { type DialectFunctions, dialectFunctions, limitSql, onDaysSql } from "./dialect.ts";
import { type Expressions, expressionsOver } from "./expressions.ts";
import { type FromClause, fromClause } from "./from-clause.ts";
import { groupedRows, shareOfAll } from "./grouped-rows.ts";
import { type Parts, toGroup } from "./parts.ts";
import { unsupportedReason } from "./unsupported.ts";

/** A query as SQL with its warnings, or the reason why it is unsupported. */
type WrittenSql =
  | {
      readonly kind: "written";
      readonly sql: string;
      readonly timeColumn?: ColumnRef;
      readonly warnings: readonly string[];
      /** The tables in its FROM clause. */
      readonly tables: ReadonlySet<SemanticTable>;
    }
  | { readonly kind: "impossible"; readonly reason: string };

/** Writes a query over its base table. `today`: the day of the question. */
export function toSql(
  query: SemanticQuery,
  base: SemanticTable,
  model: SemanticModel,
  mentioned: ReadonlySet<string>,
  today: string,
): WrittenSql {
  const from = fromClause(base, model, mentioned);
  const write = expressionsOver(from, base, model, today);
  const words = dialectFunctions(model.source.dialect);
  const timeColumn = query.timeColumn ?? defaultTimeColumn(base, model);
  const measures = query.measures.map((measure) => ({ measure, text: write.measure(measure) }));
  const reason = unsupportedReason(query, measures, base, words, timeColumn);
  if (reason) return { kind: "impossible", reason };
  // The first use of a table joins it: the order of these parts is the order of the joins.
  const sql = statement({
    query,
    base,
    model,
    from,
    write,
    words,
    ...definedFields({ timeColumn }),
    groups: query.dimensions.map((dimension) => toGroup(dimension, write, words, timeColumn)),
    values: measures.map(({ measure, text = "" }) => ({ name: toSnakeCase(measureLabel(measure)), text })),
    when: timeColumn
      ? [
          ...periodConditions(query, write, timeColumn),
          ...(query.days ? [onDaysSql(words, query.days, write.column(timeColumn))] : []),
        ]
      : [],
    where: [...query.filters.map(write.filter), ...rankedWithValue(query, write)],
    having: groupConditions(query, write),
  });
  const warnings = [...severalWays(from), ...undeclaredJoins(from.proposed)];
  return { kind: "written", sql, ...definedFields({ timeColumn }), warnings, tables: from.tables() };
}

function statement(parts: Parts): string {
  const { query, groups, values } = parts;
  if (query.countGroups) return countOfGroups(parts);
  if (values.length === 0 && groups.length === 0) return listOfRows(parts);
  if (query.share && groups.length === 0) return shareOfAll(parts);
  return groupedRows(parts);
}

/** Rows without a value are no group that could be the first of a ranking. */
function rankedWithValue({ top, measures, dimensions }: SemanticQuery, write: Expressions): readonly string[] {
  if (!top || measures.length === 0) return [];
  return dimensions.flatMap((one) => (one.kind === "column" ? [`${write.column(one)} IS NOT NULL`] : []));
}

function severalWays(from: FromClause): readonly string[] {
  return [...from.ambiguous].map(
    (table) => `${tableLabel(table)} can be reached in several ways; the shortest was taken: ${pathOf(table, from)}.`,
  );
}

function pathOf(table: SemanticTable, from: FromClause): string {
  const lines = from
    .text()
    .split("\n")
    .map((line) => / AS ["`[]?(\w+)["`\]]?(?: ON|$)/.exec(line)?.[1] ?? "");
  return lines.slice(0, lines.indexOf(toSnakeCase(tableLabel(table))) + 1).join(" → ");
}

/** The number of groups that pass the bound, as a statement. */
function countOfGroups({ base, groups, having, from, when, where, model }: Parts): string {
  const keys = groups.flatMap(({ by }) => by);
  const inner = nested([
    `SELECT ${keys.slice(0, 1).join(", ")}`,
    from.text(),
    ...clause("WHERE", [...when, ...where], " AND "),
    ...clause("GROUP BY", keys, ", "),
    ...clause("HAVING", having, " AND "),
  ]);
  const name = model.source.quoteName(`number_of_${groups[0]?.name ?? toSnakeCase(tableLabel(base))}s`);
  return `SELECT count(*) AS ${name}\nFROM (\n  ${inner}\n) AS found`;
}

/** The limit of a list without a limit of its own. */
const LISTED_ROWS = 1000;

/** Rows of the base table with all their columns, the newest first, as a statement. */
function listOfRows({ base, from, when, where, query, timeColumn, write, words, model }: Parts): string {
  const alias = model.source.quoteName(from.alias(base) ?? "");
  const order =
    timeColumn && timeColumn.table === base
      ? [`ORDER BY ${words.descending(write.column(timeColumn))}`]
      : unorderedRows(words);
  return [
    `SELECT ${alias}.*`,
    from.text(),
    ...clause("WHERE", [...when, ...where], " AND "),
    ...order,
    limitSql(words, query.latest ?? query.top?.count ?? LISTED_ROWS),
  ].join("\n");
}

/** Without an order some dialects have no limit. */
function unorderedRows({ limit }: DialectFunctions): readonly string[] {
  return limit ? ["ORDER BY (SELECT NULL)"] : [];
}

/** The conditions of the period; growth also needs the unit before it, which the outer statement removes. */
function periodConditions(query: SemanticQuery, write: Expressions, timeColumn: ColumnRef): readonly string[] {
  const { period, otherPeriod } = query;
  if (!period) return [];
  const earlier =
    (query.growth || query.moving) && period.from ? { ...period, from: unitBefore(query, period.from) } : period;
  const texts = write.period(earlier, timeColumn);
  if (!otherPeriod) return texts;
  const both = [write.period(otherPeriod, timeColumn), texts].map((one) => `(${one.join(" AND ")})`);
  return [`(${both.join(" OR ")})`];
}

function unitBefore({ growth, moving, dimensions }: SemanticQuery, from: string): string {
  if (moving) return isoDay(add(new Date(from), 1 - moving.count, moving.grain));
  const time = dimensions.find(({ kind }) => kind === "time");
  const grain = growth === "year" ? "year" : time?.kind === "time" ? time.grain : "month";
  return isoDay(add(new Date(from), -1, grain));
}

/** The conditions of the HAVING clause. */
function groupConditions({ having }: SemanticQuery, write: Expressions): readonly string[] {
  return having.flatMap(({ measure, comparison, value }) => {
    const text = write.measure(measure);
    return text ? [`${text} ${comparison} ${value}`] : [];
  });
}
