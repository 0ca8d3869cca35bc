import type { SemanticModel, SemanticTable } from "#analytics";
import { spokenTable } from "../lexicon/table-words.ts";
import { measureLabel, snake } from "../query/labels.ts";
import type { ColumnRef, SemanticQuery } from "../query/semantic-query.ts";
import { defaultTimeColumn } from "./base-table.ts";
import { groupConditions, periodConditions } from "./conditions.ts";
import { countOfGroups } from "./count-of-groups.ts";
import { dialectWords } from "./dialect.ts";
import { expressionsOver } from "./expressions.ts";
import { type FromClause, fromClause } from "./from-clause.ts";
import { toGroup } from "./group.ts";
import { groupedRows } from "./grouped-rows.ts";
import { impossible } from "./impossible.ts";
import { listOfRows } from "./list-of-rows.ts";
import type { Parts } from "./parts.ts";
import { shareOfAll } from "./share.ts";

/** A query as SQL, and what had to be decided. */
export type Written =
  | {
      readonly kind: "written";
      readonly sql: string;
      readonly timeColumn?: ColumnRef;
      readonly warnings: readonly string[];
      /** The tables that it reads. */
      readonly tables: ReadonlySet<SemanticTable>;
    }
  | { readonly kind: "impossible"; readonly reason: string };

/** Writes a query over its base table. */
export function toSql(
  query: SemanticQuery,
  base: SemanticTable,
  model: SemanticModel,
  mentioned: ReadonlySet<string>,
): Written {
  const from = fromClause(base, model, mentioned);
  const write = expressionsOver(from, base, model);
  const words = dialectWords(model.source.dialect);
  const timeColumn = query.timeColumn ?? defaultTimeColumn(base, model);
  const measures = query.measures.map((measure) => ({ measure, text: write.measure(measure) }));
  const reason = impossible(query, measures, base, words, timeColumn);
  if (reason) return { kind: "impossible", reason };
  // Tables are joined as they are asked for: the order of these parts is the order of the joins.
  const sql = statement({
    query,
    base,
    model,
    from,
    write,
    words,
    ...(timeColumn && { timeColumn }),
    groups: query.dimensions.map((dimension) => toGroup(dimension, write, words, timeColumn)),
    values: measures.map(({ measure, text = "" }) => ({ name: snake(measureLabel(measure)), text })),
    when: timeColumn ? periodConditions(query, write, timeColumn) : [],
    where: query.filters.map(write.filter),
    having: groupConditions(query, write),
  });
  const warnings = [...undated(query, timeColumn), ...severalWays(from)];
  return { kind: "written", sql, ...(timeColumn && { timeColumn }), warnings, tables: from.tables() };
}

function statement(parts: Parts): string {
  const { query, groups, values } = parts;
  if (query.countGroups) return countOfGroups(parts);
  if (values.length === 0 && groups.length === 0) return listOfRows(parts);
  if (query.share && groups.length === 0) return shareOfAll(parts);
  return groupedRows(parts);
}

function undated({ period }: SemanticQuery, timeColumn: ColumnRef | undefined): readonly string[] {
  return period && !timeColumn ? [`Nothing here has a date, so “${period.label}” was left out.`] : [];
}

function severalWays(from: FromClause): readonly string[] {
  return [...from.ambiguous].map(
    (table) => `${spokenTable(table)} can be reached in several ways; the shortest was taken: ${pathOf(table, from)}.`,
  );
}

function pathOf(table: SemanticTable, from: FromClause): string {
  const lines = from
    .text()
    .split("\n")
    .map((line) => / AS "?(\w+)"?(?: ON|$)/.exec(line)?.[1] ?? "");
  return lines.slice(0, lines.indexOf(snake(spokenTable(table))) + 1).join(" → ");
}
