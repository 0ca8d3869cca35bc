import { clause } from "./clause.ts";
import type { Parts } from "./parts.ts";

/** Rows of a list without a number of its own. */
const LISTED_ROWS = 100;

/** Rows of the base table with all their columns, the newest first, as a statement. */
export function listOfRows({ base, from, when, where, query, timeColumn, write, words, model }: Parts): string {
  const alias = model.source.quoteName(from.alias(base) ?? "");
  const order =
    timeColumn && timeColumn.table === base ? [`ORDER BY ${words.descending(write.column(timeColumn))}`] : [];
  return [
    `SELECT ${alias}.*`,
    from.text(),
    ...clause("WHERE", [...when, ...where], " AND "),
    ...order,
    `LIMIT ${query.latest ?? query.top?.count ?? LISTED_ROWS}`,
  ].join("\n");
}
